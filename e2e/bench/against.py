"""Compares this JAR with another one: the same measurements of both, in turn."""

import dataclasses
from pathlib import Path

from bench.contestants import Places, Servers
from bench.measure import interleaved, settle
from bench.report import TITLES, summary
from bench.rows import LONG_PAUSE_ROWS, Rows
from harness.installation import Installation

OWN_NAMES = ("this", "native", "none", "docker")
NOT_COMPARED = ("output", "http", "many_clients")


def compare(jar: Path, wanted: list[str], rounds: int) -> None:
    """Prints the medians of both JARs and their ratio for each row."""
    ours = Installation.from_environment()
    other = dataclasses.replace(ours, jar=jar.resolve(), work=ours.work / "other")
    for folder in (other.shared_cache, other.work / "tmp"):
        folder.mkdir(parents=True, exist_ok=True)
    pair = {}
    try:
        for name, installation in (("this", ours), ("other", other)):
            places = Places(installation)
            pair[name] = Rows(places, Servers(places, with_previous=False))
        print(f"{'median ms':<52}{'this':>9}{'other':>9}{'this ÷ other':>14}", flush=True)
        for row in (row for row in TITLES if row in wanted and row not in NOT_COMPARED):
            compare_row(row, pair, rounds)
        if "memory" in wanted:
            found = {name: rows.memory(100) for name, rows in pair.items()}
            for title in found["this"]:
                print_line(f"memory, MB: {title}", found["this"][title], found["other"][title])
    finally:
        for rows in pair.values():
            rows.servers.close()


def compare_row(row: str, pair: dict[str, Rows], rounds: int) -> None:
    contestants = {
        (own, name): measure
        for own, rows in pair.items()
        for name, measure in getattr(rows, row)().items()
        if name.split(",")[0] in OWN_NAMES
    }
    if row in ("pandas", "one_line", "models", "plot", "pandas_loop", "burst"):
        settle(contestants, *(rows.places.work for rows in pair.values()))
    times = interleaved(contestants, rounds, row in LONG_PAUSE_ROWS)
    medians = {key: summary(values)["median_ms"] for key, values in times.items()}
    for name in (name for own, name in medians if own == "this"):
        print_line(f"{TITLES[row]}: {name}", medians["this", name], medians["other", name])


def print_line(title: str, this: float, other: float) -> None:
    print(f"{title:<52}{this:>9.1f}{other:>9.1f}{this / other if other else 1:>14.2f}", flush=True)
