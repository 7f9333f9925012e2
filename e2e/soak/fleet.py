"""The servers of a run. In each slot one server runs after the other, with the same options and folders."""

import os
import random
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from harness.clock import Clock
from harness.installation import Installation
from harness.results import ToolResult
from harness.server import Server, ServerError
from soak.calls import ANYWHERE, LARGE, MEMORY, PROCESSES, ISOLATED, ServerEnded, Kind, PlannedCall, kept_file, new_set
from soak.workload import FAILED, GOOD, INTERRUPTED, REFUSED, Record, Workload

DISK_MEGABYTES = 96
# Small enough that old environments are evicted while others are in use.
CACHE_SIZE = "400m"
CRASHED = "crashed"
START_SECONDS = 120


@dataclass
class ServerInstance:
    """One server process in a slot, from its start to its end."""

    slot: str
    number: int
    server: Server
    begun: float
    ended_by: str = ""
    """How the test ends it, or CRASHED. A server that ends although this is empty has failed."""
    samples: list = field(default_factory=list)
    heaps: list = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.slot if self.number == 1 else f"{self.slot} ({self.number})"


@dataclass
class AllowedRefusal:
    """A period in which calls may be refused, if the refusal gives the reason."""

    reason: str
    fits: Callable[[ToolResult], bool]
    begun: float
    ended: float = float("inf")
    texts: list[str] = field(default_factory=list)


class ServerSlot:
    def __init__(self, name: str, workload: Workload, start: Callable[[], Server], agents: int, mix: dict[Kind, int]):
        self.name, self.agents = name, agents
        self.instances: list[ServerInstance] = []
        self.allowed_refusals: list[AllowedRefusal] = []
        self.mix = mix
        self._workload, self._start = workload, start
        self._lock = threading.Lock()

    def instance(self) -> ServerInstance:
        """The server that runs in this slot; starts a new one if the last one has ended."""
        with self._lock:
            if self.instances and self.instances[-1].server.process.poll() is not None:
                self.instances[-1].ended_by = self.instances[-1].ended_by or CRASHED
            if self.instances and not self.instances[-1].ended_by:
                return self.instances[-1]
            server = self._start()
            server.late_answers_fail = False
            try:
                server.initialize(timeout=START_SECONDS)
            except AssertionError:
                server.kill()
                raise
            self.instances.append(ServerInstance(self.name, len(self.instances) + 1, server, self._workload.now()))
            return self.instances[-1]

    def expect_end(self, how: str) -> ServerInstance:
        with self._lock:
            instance = self.instances[-1]
            instance.ended_by = how
            return instance

    def allow_refusal(self, reason: str, fits: Callable[[ToolResult], bool]) -> AllowedRefusal:
        self.allowed_refusals.append(AllowedRefusal(reason, fits, self._workload.now()))
        return self.allowed_refusals[-1]

    def work(self) -> None:
        """Makes one call after the other, as one agent does."""
        while planned := self._workload.next():
            kind = random.Random(f"kind of {planned.token}").choices(list(self.mix), list(self.mix.values()))[0]
            begun = self._workload.now()
            outcome, note = self._attempt(kind, planned, begun)
            record = Record(planned.number, kind.__name__, self.name, begun, self._workload.now(), outcome, note)
            self._workload.close(record, planned.token)

    def _attempt(self, kind: Kind, planned: PlannedCall, begun: float) -> tuple[str, str]:
        try:
            instance = self.instance()
        except (AssertionError, OSError) as failure:
            time.sleep(1)  # before the next attempt
            return FAILED, f"no server: {failure}"
        try:
            kind(instance.server, planned)
            return GOOD, ""
        except AssertionError as failure:
            result = getattr(failure, "result", None)
            if instance.ended_by and isinstance(failure, (ServerError, ServerEnded)):
                return INTERRUPTED, instance.ended_by
            if result is not None and (reason := self.allowed_reason(result, begun)):
                return REFUSED, reason
            return FAILED, f"{instance.name}: {failure}"

    def allowed_reason(self, result: ToolResult, since: float = 0) -> str:
        """Why a call that began at `since` may be refused this way; empty if it may not."""
        for allowed in self.allowed_refusals:
            if allowed.ended >= since and allowed.fits(result):
                allowed.texts.append(result.text)
                return allowed.reason
        return ""


class Disk:
    """A small tmpfs for the cache and the temporary folder of one server."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MEGABYTES}m", "tmpfs", str(folder)], check=True)

    def keep_full(self, seconds: float) -> None:
        """Writes until the disk is full, and again whenever space becomes free."""
        filler = self.folder / "filler"
        end = time.monotonic() + seconds
        try:
            with open(filler, "wb", buffering=0) as file:
                while time.monotonic() < end:
                    try:
                        file.write(bytes(1 << 16))
                    except OSError:
                        time.sleep(0.05)
        finally:
            filler.unlink()

    def remove(self) -> None:
        subprocess.run(["umount", "--lazy", str(self.folder)], check=True)
        self.folder.rmdir()


class Fleet:
    """All slots of a run and the folders that they use."""

    def __init__(self, installation: Installation, workload: Workload, docker: bool, large: bool):
        self.installation, self.workload = installation, workload
        self.work = installation.work / "soak"
        shutil.rmtree(self.work, ignore_errors=True)
        self.temporary = self.work / "tmp"
        self.kept = self.work / "kept"
        self.temporary.mkdir(parents=True)
        self.clock = Clock(self.work / "clock")
        self.disk = Disk(self.work / "disk") if os.getuid() == 0 else None
        self._uv = installation.fetched_uv()
        self._flags = installation.client_flags()
        # Without isolation scripts run as another user if the server is root, so the cache differs.
        self.caches = {"shared": self.work / "cache", "none": self.work / "cache-none"}
        isolated = ANYWHERE | ISOLATED
        natives = [f"native-{number}" for number in range(1, 5 if large else 4)]
        self.slots = [self._slot(name, 3 if large else 2, isolated | (LARGE if large else {})) for name in natives]
        self.slots.append(self._slot("none", 2, ANYWHERE, backend="none", cache=self.caches["none"]))
        options = [f"--keep-files={self.kept}", "--package-age=30"]
        clock_mix = isolated | {kept_file: 20}
        self.slots.append(self._slot("clock", 2, clock_mix, *options, env=self.clock.environment))
        if self.disk:
            self.caches["disk"] = self.disk.folder / "cache"
            tight = {"cache": self.caches["disk"], "temporary": self.disk.folder / "tmp"}
            self.slots.append(self._slot("disk", 2, isolated | {new_set: 25}, cache_size="32m", **tight))
        if docker:
            self.slots.append(self._slot("docker", 2, isolated, backend="docker"))

    def _slot(
        self, name: str, agents: int, mix: dict[Kind, int], *options: str,
        backend: str = "native", cache_size: str = CACHE_SIZE, **where,
    ) -> ServerSlot:  # fmt: skip
        all_options = [f"--max-memory={MEMORY}", f"--max-processes={PROCESSES}", f"--max-cache-size={cache_size}"]
        all_options += ["--require-sandbox"] if backend != "none" else []
        all_options += [f"--uv-path={self._uv}", *options]
        settings = {"temporary": self.temporary, "cache": self.caches["shared"], "java_options": self._flags} | where

        def start() -> Server:
            return self.installation.start(*all_options, backend=backend, **settings)

        return ServerSlot(name, self.workload, start, agents, mix)

    def __getitem__(self, name: str) -> ServerSlot:
        return next(slot for slot in self.slots if slot.name == name)

    def __contains__(self, name: str) -> bool:
        return any(slot.name == name for slot in self.slots)

    def close(self) -> None:
        if self.disk:
            self.disk.remove()
        shutil.rmtree(self.work)

    @property
    def instances(self) -> list[ServerInstance]:
        return [instance for slot in self.slots for instance in slot.instances]

    @property
    def temporaries(self) -> list[Path]:
        return [self.temporary, *([self.disk.folder / "tmp"] if self.disk else [])]
