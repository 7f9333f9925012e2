"""Measures all rows in one run, the contestants of a row in turn, and prints which goals are met."""

import argparse
import os
import subprocess
import time
from pathlib import Path

from bench.contestants import Places, Servers
from bench.report import TITLES, print_row, summary, write
from bench.rows import Rows
from harness.installation import REPOSITORY, Installation

MOST_PATTERN_MS = 100
# Clients pause between calls. The pause is the same for all, and longer if the server works after its response.
PAUSE_SECONDS, LONG_PAUSE_SECONDS = 0.2, 1.0


def interleaved(contestants: dict, rounds: int, pause: float) -> dict[str, list[float]]:
    """Measures the contestants in turn, each round starting with another one."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for measure in contestants.values():
        measure()
    time.sleep(1)
    names = list(contestants)
    for number in range(rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            time.sleep(pause)
            times[name].append(contestants[name]())
    return times


def main() -> None:
    parser = argparse.ArgumentParser(prog="e2e/bench/run")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--only", action="append", choices=[*TITLES, "memory"])
    parser.add_argument("--sets", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--patterns", action="store_true", help="only the regular expressions, on their worst texts")
    parser.add_argument("--out", type=Path, default=REPOSITORY / "target/bench")
    options = parser.parse_args()
    if options.patterns:
        print_patterns()
        return
    wanted = options.only or [*TITLES, "memory"]
    rounds = 3 if options.quick else options.rounds
    places = Places(Installation.from_environment())
    servers = Servers(places, with_previous=not options.quick)
    figures, memory, flood, sets = {}, {}, {}, {}
    try:
        rows = Rows(places, servers)
        for row in (row for row in TITLES if row in wanted):
            if row == "flood":
                times, flood = rows.flood()
            else:
                contestants = getattr(rows, row)()
                if not contestants:
                    continue
                heavy = row in ("pandas", "plot", "crowd")
                if row in ("pandas", "plot"):
                    settle(contestants, places.work)
                times = interleaved(contestants, rounds, LONG_PAUSE_SECONDS if heavy else PAUSE_SECONDS)
            figures[row] = {name: summary(values) for name, values in times.items()}
            print_row(row, figures[row])
        if "memory" in wanted:
            memory = rows.memory(10 if options.quick else 100)
        if options.sets:
            sets = rows.many_sets()
    finally:
        servers.close()
    write(options.out, figures, memory, flood, sets)


def print_patterns() -> None:
    """The slowest regular expressions, each on its worst-case megabyte; needs `mvnw test-compile`."""
    target = REPOSITORY / "target"
    path = os.pathsep.join(str(target / part) for part in ("classes", "test-classes", "sandbox.jar"))
    command = ["java", "-cp", path, "dev.pysandbox.PatternTable"]
    times = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout.splitlines()
    print(f"{len(times)} patterns; goal: at most {MOST_PATTERN_MS} ms each", *times[:5], sep="\n")


def settle(contestants: dict, work: Path, seconds: float = 240) -> None:
    """Waits until the packages of a large set are compiled, which happens after the first response."""
    for measure in contestants.values():
        measure()
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with_packages = {info.parents[4] for info in work.glob("cache*/environments/*/lib/*/site-packages/*.dist-info/METADATA")}
        if all((path.parents[1] / "known" / f"compiled-{path.name}").exists() for path in with_packages):
            return
        time.sleep(1)


if __name__ == "__main__":
    main()
