"""Measures all rows in one run, the contestants of a row in turn, and prints which goals are met."""

import argparse
import os
import subprocess
from pathlib import Path

from bench.against import compare
from bench.contestants import Places, Servers
from bench.measure import interleaved, settle
from bench.report import TITLES, print_row, summary, write
from bench.rows import LONG_PAUSE_ROWS, Rows
from harness.installation import REPOSITORY, Installation

MOST_PATTERN_MS = 100
# Rows that take minutes. Of some, each round needs sets of packages that were never used.
MOST_ROUNDS = {"new_large_set": 12, "next_calls": 7, "downloads": 5, "cpu": 7, "loop": 5, "pandas_loop": 5, "burst": 5,
               "busy": 7}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="e2e/bench/run")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--only", action="append", choices=[*TITLES, "memory"])
    parser.add_argument("--sets", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--patterns", action="store_true", help="only the regular expressions, on their worst texts")
    parser.add_argument("--against", type=Path, help="another JAR to compare with, without the other programs")
    parser.add_argument("--out", type=Path, default=REPOSITORY / "target/bench")
    options = parser.parse_args()
    if options.patterns:
        print_patterns()
        return
    wanted = options.only or [*TITLES, "memory"]
    rounds = 3 if options.quick else options.rounds
    if options.against:
        compare(options.against, wanted, rounds)
        return
    places = Places(Installation.from_environment())
    servers = Servers(places, with_previous=not options.quick)
    figures, memory, output, sets = {}, {}, {}, {}
    try:
        rows = Rows(places, servers)
        for row in (row for row in TITLES if row in wanted):
            if row == "output":
                times, output = rows.output()
            else:
                contestants = getattr(rows, row)()
                if not contestants:
                    continue
                if row in ("pandas", "one_line", "models", "plot", "pandas_loop", "burst"):
                    settle(contestants, places.work)
                times = interleaved(contestants, min(rounds, MOST_ROUNDS.get(row, rounds)), row in LONG_PAUSE_ROWS)
            figures[row] = {name: summary(values) for name, values in times.items()}
            print_row(row, figures[row])
        if "memory" in wanted:
            memory = rows.memory(10 if options.quick else 100)
        if options.sets:
            sets = rows.many_sets()
    finally:
        servers.close()
    write(options.out, figures, memory, output, sets)


def print_patterns() -> None:
    """The slowest regular expressions, each on its worst-case megabyte; needs `mvnw test-compile`."""
    target = REPOSITORY / "target"
    path = os.pathsep.join(str(target / part) for part in ("classes", "test-classes", "sandbox.jar"))
    command = ["java", "-cp", path, "dev.pysandbox.PatternTable"]
    times = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout.splitlines()
    print(f"{len(times)} patterns; goal: at most {MOST_PATTERN_MS} ms each", *times[:5], sep="\n")

if __name__ == "__main__":
    main()
