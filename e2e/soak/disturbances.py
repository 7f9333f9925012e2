"""What is done to the servers while the agents work, and what followed."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from harness.engine import restart
from harness.results import ToolResult
from harness.server import EXIT_SECONDS
from soak.calls import ANSWER_SECONDS, Ticket, kept_file
from soak.desk import Desk
from soak.sampling import live_heap
from soak.seats import Fleet

# What is asked of a machine with dozens of processes for each processor: a new server takes a hundred times as long
# there as on one that is idle. The report says how long it really took.
RECOVERY_SECONDS = 240
END_SECONDS = 60
DISK_FULL_SECONDS = 8
CLOCK_SECONDS = 1.5
NEVER_ASKED_FOR = ["wheel==0.45.1", "pytz==2025.2"]
WEIGHED_AT = (0.3, 0.6, 0.95)
# Shorter runs are all warm-up.
LEAST_SECONDS = 120


@dataclass
class Disturbance:
    """One event of a run; times are seconds since it began."""

    name: str
    seat: str
    at: float
    over: float = 0
    recovered: float | None = None
    """From its end to the first good answer to a call made after it."""
    problems: list[str] = field(default_factory=list)


class Schedule:
    """Events at shares of the calls, on a thread of their own."""

    def __init__(self, fleet: Fleet, desk: Desk, engine_place: str | None):
        self._fleet, self._desk, self._engine_place = fleet, desk, engine_place
        self.done: list[Disturbance] = []
        self._recoveries: list[threading.Thread] = []
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._follow, self._weigh_heaps)]
        self._events: list[tuple[float, str, str, Callable[[Disturbance], None]]] = [
            (0.10, "SIGKILL", "native-1", self._kill),
            (0.14, "clock +5 h", "clock", self._clock(5)),
            (0.18, "SIGTERM", "native-2", self._terminate),
            (0.22, "disk full", "disk", self._fill),
            (0.26, "SIGKILL", "docker", self._kill),
            (0.32, "end of input", "native-2", self._end_input),
            (0.36, "clock -3 h", "clock", self._clock(-3)),
            (0.42, "SIGKILL", "native-1", self._kill),
            (0.48, "engine restarted", "docker", self._restart_engine),
            (0.54, "clock +26 h", "clock", self._clock(26)),
            (0.58, "disk full", "disk", self._fill),
            (0.64, "SIGKILL", "native-1", self._kill),
            (0.64, "SIGKILL", "native-2", self._kill),
            (0.68, "clock right", "clock", self._clock(0)),
            (0.72, "SIGTERM", "none", self._terminate),
            (0.76, "end of input", "native-1", self._end_input),
        ]

    def start(self) -> None:
        self._desk.held_open = True
        for thread in self._threads:
            thread.start()

    def wait(self) -> None:
        for thread in self._threads:
            thread.join()

    def _follow(self) -> None:
        try:
            self._work_through_events()
            for recovery in self._recoveries:
                recovery.join()
        finally:
            self._desk.held_open = False

    def _work_through_events(self) -> None:
        for share, name, seat, act in self._events:
            if seat in self._fleet and (act != self._restart_engine or self._engine_place):
                self._desk.wait_for(share)
                self._disturb(Disturbance(name, seat, self._desk.now()), act)

    def _disturb(self, event: Disturbance, act: Callable[[Disturbance], None]) -> None:
        self.done.append(event)
        try:
            act(event)
        except AssertionError as failure:
            event.problems.append(str(failure))
        event.over = self._desk.now()
        recovery = threading.Thread(target=self._see_recovery, args=(event,), daemon=True)
        recovery.start()
        self._recoveries.append(recovery)

    def _see_recovery(self, event: Disturbance) -> None:
        event.recovered = self._desk.wait_for_good(event.seat, event.over, RECOVERY_SECONDS)
        if event.recovered is None:
            event.problems.append(f"no good answer within {RECOVERY_SECONDS} s")

    def _weigh_heaps(self) -> None:
        for share in WEIGHED_AT if self._desk.seconds >= LEAST_SECONDS else ():
            self._desk.wait_for(share)
            for life in self._fleet.lives:
                if not life.doomed and life.server.process.poll() is None:
                    life.heaps.append((self._desk.now(), live_heap(life.server.process.pid)))

    def _kill(self, event: Disturbance) -> None:
        life = self._fleet[event.seat].doom("SIGKILL")
        life.server.process.kill()
        life.server.process.wait(EXIT_SECONDS)

    def _terminate(self, event: Disturbance) -> None:
        life = self._fleet[event.seat].doom("SIGTERM")
        life.server.terminate()
        life.server.expect_exit(0, END_SECONDS)

    def _end_input(self, event: Disturbance) -> None:
        self._fleet[event.seat].doom("end of input").server.close(END_SECONDS)

    def _clock(self, hours: float) -> Callable[[Disturbance], None]:
        def jump(event: Disturbance) -> None:
            self._fleet.clock.set(hours)
            time.sleep(CLOCK_SECONDS)
            # A file that is kept tells the time that the server sees.
            kept_file(self._fleet[event.seat].life().server, Ticket(self._desk.seed, self._desk.calls + len(self.done)))

        return jump

    def _fill(self, event: Disturbance) -> None:
        excuse = self._fleet[event.seat].excuse("disk full", says_disk_is_full)
        filling = threading.Thread(target=self._fleet.disk.keep_full, args=(DISK_FULL_SECONDS,), daemon=True)
        filling.start()
        time.sleep(DISK_FULL_SECONDS / 4)
        try:
            # Something that nobody else asks for, so that it must be installed now.
            number = sum(each.name == event.name for each in self.done) - 1
            server = self._fleet[event.seat].life().server
            result = server.run("pass", ANSWER_SECONDS, dependencies=[NEVER_ASKED_FOR[number]])
            assert not filling.is_alive() or says_disk_is_full(result), f"on a full disk: {result.text}"
        finally:
            filling.join()
            excuse.ended = self._desk.now()

    def _restart_engine(self, event: Disturbance) -> None:
        excuse = self._fleet[event.seat].excuse("engine restarted", says_engine_is_away)
        try:
            restart(self._engine_place)
        finally:
            excuse.ended = self._desk.now()


def says_disk_is_full(result: ToolResult) -> bool:
    words = result.text.lower()
    return (result.is_error or "was not checked" in words) and ("no space left" in words or "full" in words)


def says_engine_is_away(result: ToolResult) -> bool:
    return (result.is_error or "was not checked" in result.text) and "docker" in result.text.lower()
