"""Disturbs servers while agents use them: kills and ends them, fills their disk, changes their clock."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from harness.engine import restart
from harness.results import ToolResult
from harness.server import EXIT_SECONDS
from soak.calls import ANSWER_SECONDS, PlannedCall, kept_file
from soak.workload import Workload
from soak.sampling import live_heap
from soak.fleet import Fleet

# Generous, because a server starts a hundred times slower on an overloaded machine. The report has the actual times.
RECOVERY_SECONDS = 240
END_SECONDS = 60
DISK_FULL_SECONDS = 8
CLOCK_SECONDS = 1.5
NEVER_ASKED_FOR = ["wheel==0.45.1", "pytz==2025.2"]
HEAPS_MEASURED_AT = (0.3, 0.6, 0.95)
# In a shorter run all servers are still warming up.
LEAST_SECONDS = 120


@dataclass
class Disturbance:
    """One event of a run; times are seconds since it began."""

    name: str
    slot: str
    at: float
    over: float = 0
    recovered: float | None = None
    """Seconds from its end to the end of the first good call that began after it."""
    problems: list[str] = field(default_factory=list)


class Schedule:
    """Starts each disturbance when a share of the calls has been made, on a separate thread."""

    def __init__(self, fleet: Fleet, workload: Workload, engine_place: str | None):
        self._fleet, self._workload, self._engine_place = fleet, workload, engine_place
        self.done: list[Disturbance] = []
        self._recoveries: list[threading.Thread] = []
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._follow, self._measure_heaps)]
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
        self._workload.keep_open = True
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
            self._workload.keep_open = False

    def _work_through_events(self) -> None:
        for share, name, slot, act in self._events:
            if slot in self._fleet and (act != self._restart_engine or self._engine_place):
                self._workload.wait_for(share)
                self._disturb(Disturbance(name, slot, self._workload.now()), act)

    def _disturb(self, event: Disturbance, act: Callable[[Disturbance], None]) -> None:
        self.done.append(event)
        try:
            act(event)
        except AssertionError as failure:
            event.problems.append(str(failure))
        event.over = self._workload.now()
        recovery = threading.Thread(target=self._await_recovery, args=(event,), daemon=True)
        recovery.start()
        self._recoveries.append(recovery)

    def _await_recovery(self, event: Disturbance) -> None:
        event.recovered = self._workload.wait_for_good(event.slot, event.over, RECOVERY_SECONDS)
        if event.recovered is None:
            event.problems.append(f"no good answer within {RECOVERY_SECONDS} s")

    def _measure_heaps(self) -> None:
        for share in HEAPS_MEASURED_AT if self._workload.seconds >= LEAST_SECONDS else ():
            self._workload.wait_for(share)
            for instance in self._fleet.instances:
                if not instance.ended_by and instance.server.process.poll() is None:
                    instance.heaps.append((self._workload.now(), live_heap(instance.server.process.pid)))

    def _kill(self, event: Disturbance) -> None:
        instance = self._fleet[event.slot].expect_end("SIGKILL")
        instance.server.process.kill()
        instance.server.process.wait(EXIT_SECONDS)

    def _terminate(self, event: Disturbance) -> None:
        instance = self._fleet[event.slot].expect_end("SIGTERM")
        instance.server.terminate()
        instance.server.expect_exit(0, END_SECONDS)

    def _end_input(self, event: Disturbance) -> None:
        self._fleet[event.slot].expect_end("end of input").server.close(END_SECONDS)

    def _clock(self, hours: float) -> Callable[[Disturbance], None]:
        def jump(event: Disturbance) -> None:
            self._fleet.clock.set(hours)
            time.sleep(CLOCK_SECONDS)
            # The name of a kept file contains the time that the server sees.
            planned = PlannedCall(self._workload.seed, self._workload.calls + len(self.done))
            kept_file(self._fleet[event.slot].instance().server, planned)

        return jump

    def _fill(self, event: Disturbance) -> None:
        allowed = self._fleet[event.slot].allow_refusal("disk full", says_disk_is_full)
        filling = threading.Thread(target=self._fleet.disk.keep_full, args=(DISK_FULL_SECONDS,), daemon=True)
        filling.start()
        time.sleep(DISK_FULL_SECONDS / 4)
        try:
            # A package that no other call uses, so it must be installed now.
            number = sum(each.name == event.name for each in self.done) - 1
            server = self._fleet[event.slot].instance().server
            result = server.run("pass", ANSWER_SECONDS, dependencies=[NEVER_ASKED_FOR[number]])
            assert not filling.is_alive() or says_disk_is_full(result), f"on a full disk: {result.text}"
        finally:
            filling.join()
            allowed.ended = self._workload.now()

    def _restart_engine(self, event: Disturbance) -> None:
        allowed = self._fleet[event.slot].allow_refusal("engine restarted", says_engine_is_down)
        try:
            restart(self._engine_place)
        finally:
            allowed.ended = self._workload.now()


def says_disk_is_full(result: ToolResult) -> bool:
    words = result.text.lower()
    return (result.is_error or "was not checked" in words) and ("no space left" in words or "full" in words)


def says_engine_is_down(result: ToolResult) -> bool:
    return (result.is_error or "was not checked" in result.text) and "docker" in result.text.lower()
