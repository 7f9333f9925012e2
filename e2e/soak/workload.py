"""Plans the calls of a run at the requested rate, and records the outcome of each."""

import threading
import time
from dataclasses import dataclass

from soak.calls import PlannedCall

GOOD, INTERRUPTED, REFUSED, FAILED = "good", "interrupted", "refused", "failed"


@dataclass(frozen=True)
class Record:
    """The outcome of one call; times are seconds since the run began."""

    number: int
    kind: str
    slot: str
    begun: float
    ended: float
    outcome: str
    note: str = ""

    @property
    def taken(self) -> float:
        return self.ended - self.begun


class Workload:
    """Calls are due at equal intervals; on a slow machine each is made as soon as possible.

    There are more calls while disturbances remain, and fewer if the time limit is reached.
    """

    def __init__(self, calls: int, seconds: float, seed: int, most_seconds: float = float("inf")):
        self.calls, self.seconds, self.seed = calls, seconds, seed
        self.records: list[Record] = []
        self.over: dict[str, float] = {}
        """When each call ended, by token."""
        self.given = 0
        self.keep_open = False
        self._pause, self._most_seconds = seconds / calls, most_seconds
        self._changed = threading.Condition()
        self._zero = time.monotonic()

    def open(self) -> None:
        self._zero = time.monotonic()

    def now(self) -> float:
        return time.monotonic() - self._zero

    def next(self) -> PlannedCall | None:
        with self._changed:
            number = self.given
            if (number >= self.calls and not self.keep_open) or self.now() >= self._most_seconds:
                return None
            self.given += 1
            self._changed.notify_all()
        time.sleep(max(0.0, number * self._pause - self.now()))
        return PlannedCall(self.seed, number)

    def wait_for(self, share: float) -> None:
        """Waits until this share of the calls has been handed out, or of the time limit has passed."""

        def reached() -> bool:
            return max(self.given / self.calls, self.now() / self._most_seconds) >= share

        with self._changed:
            while not self._changed.wait_for(reached, 1):
                pass

    def is_over(self) -> bool:
        done = self.given >= self.calls or self.now() >= self._most_seconds
        return done and not self.keep_open and len(self.records) == self.given

    def close(self, record: Record, token: str) -> None:
        with self._changed:
            self.records.append(record)
            self.over[token] = time.monotonic()
            self._changed.notify_all()

    def wait_for_good(self, slot: str, since: float, seconds: float) -> float | None:
        """Seconds from `since` to the end of the first good call that began later; None if there was none in time."""

        def found() -> float | None:
            ends = [r.ended for r in self.records if r.slot == slot and r.begun >= since and r.outcome == GOOD]
            return min(ends) - since if ends else None

        with self._changed:
            self._changed.wait_for(lambda: found() is not None, seconds)
            return found()
