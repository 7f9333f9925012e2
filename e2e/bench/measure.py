"""Measures several contestants in turn."""

import time
from pathlib import Path

# Clients pause between calls. The pause is the same for all, and longer if the server works after its response.
PAUSE_SECONDS, LONG_PAUSE_SECONDS = 0.2, 1.0
METADATA = "cache*/environments/*/lib/*/site-packages/*.dist-info/METADATA"


def interleaved(contestants: dict, rounds: int, long_pause: bool) -> dict:
    """Measures the contestants in turn, each round starting with another one."""
    pause = LONG_PAUSE_SECONDS if long_pause else PAUSE_SECONDS
    times: dict = {name: [] for name in contestants}
    for measure in contestants.values():
        measure()
    time.sleep(1)
    names = list(contestants)
    for number in range(rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            time.sleep(pause)
            times[name].append(contestants[name]())
    return times


def settle(contestants: dict, *works: Path, seconds: float = 240) -> None:
    """Waits until the packages of a large set are compiled, which happens after the first response."""
    for measure in contestants.values():
        measure()
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = (info for work in works for info in work.glob(METADATA))
        with_packages = {info.parents[4] for info in found}
        if all((path.parents[1] / "known" / f"compiled-{path.name}").exists() for path in with_packages):
            return
        time.sleep(1)
