"""Hands out the calls of a run at the pace that was asked for, and writes down what became of each."""

import threading
import time
from dataclasses import dataclass

from soak.calls import Ticket

GOOD, INTERRUPTED, EXCUSED, FAILED = "good", "interrupted", "excused", "failed"


@dataclass(frozen=True)
class Record:
    """What became of one call; times are seconds since the run began."""

    number: int
    kind: str
    seat: str
    begun: float
    ended: float
    outcome: str
    note: str = ""

    @property
    def taken(self) -> float:
        return self.ended - self.begun


class Desk:
    """Calls are due evenly over the time; when the machine is slower than that, each comes as soon as it can.

    There are a few more while something is still to be done to the servers, and fewer when the time is up before.
    """

    def __init__(self, calls: int, seconds: float, seed: int, most_seconds: float = float("inf")):
        self.calls, self.seconds, self.seed = calls, seconds, seed
        self.records: list[Record] = []
        self.over: dict[str, float] = {}
        """When the calls ended whose scripts had children, by token."""
        self.given = 0
        self.held_open = False
        self._pause, self._most_seconds = seconds / calls, most_seconds
        self._changed = threading.Condition()
        self._zero = time.monotonic()

    def open(self) -> None:
        self._zero = time.monotonic()

    def now(self) -> float:
        return time.monotonic() - self._zero

    def next(self) -> Ticket | None:
        with self._changed:
            number = self.given
            if (number >= self.calls and not self.held_open) or self.now() >= self._most_seconds:
                return None
            self.given += 1
            self._changed.notify_all()
        time.sleep(max(0.0, number * self._pause - self.now()))
        return Ticket(self.seed, number)

    def wait_for(self, share: float) -> None:
        """Until this share of the calls is given out, or of the time that there is."""

        def reached() -> bool:
            return max(self.given / self.calls, self.now() / self._most_seconds) >= share

        with self._changed:
            while not self._changed.wait_for(reached, 1):
                pass

    def is_over(self) -> bool:
        done = self.given >= self.calls or self.now() >= self._most_seconds
        return done and not self.held_open and len(self.records) == self.given

    def close(self, record: Record, token: str) -> None:
        with self._changed:
            self.records.append(record)
            self.over[token] = time.monotonic()
            self._changed.notify_all()

    def wait_for_good(self, seat: str, since: float, seconds: float) -> float | None:
        """How long after a moment a call that began later was answered as it should be; None if none was in time."""

        def found() -> float | None:
            ends = [r.ended for r in self.records if r.seat == seat and r.begun >= since and r.outcome == GOOD]
            return min(ends) - since if ends else None

        with self._changed:
            self._changed.wait_for(lambda: found() is not None, seconds)
            return found()
