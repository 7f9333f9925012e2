"""Seats: places at which one server after another works on the same folders, for the agents who sit there."""

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
from soak.calls import ANYWHERE, LARGE, MEMORY, PROCESSES, WALLED, CutOff, Kind, Ticket, kept_file, new_set
from soak.desk import EXCUSED, FAILED, GOOD, INTERRUPTED, Desk, Record

DISK_MEGABYTES = 96
# Small enough that old environments must go while others are in use.
CACHE_SIZE = "400m"
CRASHED = "crashed"
START_SECONDS = 120


@dataclass
class Life:
    """One server from its start to its end."""

    seat: str
    number: int
    server: Server
    begun: float
    doomed: str = ""
    """How it is being ended by us; a server that ends otherwise has failed."""
    samples: list = field(default_factory=list)
    heaps: list = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.seat if self.number == 1 else f"{self.seat} ({self.number})"


@dataclass
class Excuse:
    """For some time a call may be refused, if the refusal says why."""

    reason: str
    fits: Callable[[ToolResult], bool]
    begun: float
    ended: float = float("inf")
    texts: list[str] = field(default_factory=list)


class Seat:
    def __init__(self, name: str, desk: Desk, start: Callable[[], Server], agents: int, mix: dict[Kind, int]):
        self.name, self.agents = name, agents
        self.lives: list[Life] = []
        self.excuses: list[Excuse] = []
        self.mix = mix
        self._desk, self._start = desk, start
        self._lock = threading.Lock()

    def life(self) -> Life:
        """That of the server that works here now; where it was ended, a successor's."""
        with self._lock:
            if self.lives and self.lives[-1].server.process.poll() is not None:
                self.lives[-1].doomed = self.lives[-1].doomed or CRASHED
            if self.lives and not self.lives[-1].doomed:
                return self.lives[-1]
            server = self._start()
            server.late_answers_fail = False
            try:
                server.initialize(timeout=START_SECONDS)
            except AssertionError:
                server.kill()
                raise
            self.lives.append(Life(self.name, len(self.lives) + 1, server, self._desk.now()))
            return self.lives[-1]

    def doom(self, how: str) -> Life:
        with self._lock:
            life = self.lives[-1]
            life.doomed = how
            return life

    def excuse(self, reason: str, fits: Callable[[ToolResult], bool]) -> Excuse:
        self.excuses.append(Excuse(reason, fits, self._desk.now()))
        return self.excuses[-1]

    def work(self) -> None:
        """What one agent does: one call after another."""
        while ticket := self._desk.next():
            kind = random.Random(f"kind of {ticket.token}").choices(list(self.mix), list(self.mix.values()))[0]
            begun = self._desk.now()
            outcome, note = self._attempt(kind, ticket, begun)
            record = Record(ticket.number, kind.__name__, self.name, begun, self._desk.now(), outcome, note)
            self._desk.close(record, ticket.token)

    def _attempt(self, kind: Kind, ticket: Ticket, begun: float) -> tuple[str, str]:
        try:
            life = self.life()
        except (AssertionError, OSError) as failure:
            time.sleep(1)  # not to be asked again at once
            return FAILED, f"no server: {failure}"
        try:
            kind(life.server, ticket)
            return GOOD, ""
        except AssertionError as failure:
            result = getattr(failure, "result", None)
            if life.doomed and isinstance(failure, (ServerError, CutOff)):
                return INTERRUPTED, life.doomed
            if result is not None and (reason := self.excused(result, begun)):
                return EXCUSED, reason
            return FAILED, f"{life.name}: {failure}"

    def excused(self, result: ToolResult, since: float = 0) -> str:
        """Why a call that began then may be refused; nothing if it may not."""
        for excuse in self.excuses:
            if excuse.ended >= since and excuse.fits(result):
                excuse.texts.append(result.text)
                return excuse.reason
        return ""


class Disk:
    """A small disk for the cache and the temporary folder of one server, and what fills it."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MEGABYTES}m", "tmpfs", str(folder)], check=True)

    def keep_full(self, seconds: float) -> None:
        """Takes every byte that is free, also what somebody else gives up meanwhile."""
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
    """All seats of a run and the folders that they use."""

    def __init__(self, installation: Installation, desk: Desk, docker: bool, large: bool):
        self.installation, self.desk = installation, desk
        self.work = installation.work / "soak"
        shutil.rmtree(self.work, ignore_errors=True)
        self.temporary = self.work / "tmp"
        self.kept = self.work / "kept"
        self.temporary.mkdir(parents=True)
        self.clock = Clock(self.work / "clock")
        self.disk = Disk(self.work / "disk") if os.getuid() == 0 else None
        self._uv = installation.provide_uv("native")
        self._flags = installation.client_flags()
        # Without a wall a cache is another user's, where the server is root.
        self.caches = {"shared": self.work / "cache", "none": self.work / "cache-none"}
        walled = ANYWHERE | WALLED
        natives = [f"native-{number}" for number in range(1, 5 if large else 4)]
        self.seats = [self._seat(name, 3 if large else 2, walled | (LARGE if large else {})) for name in natives]
        self.seats.append(self._seat("none", 2, ANYWHERE, backend="none", cache=self.caches["none"]))
        options = [f"--keep-files={self.kept}", "--package-age=30"]
        clock_mix = walled | {kept_file: 20}
        self.seats.append(self._seat("clock", 2, clock_mix, *options, env=self.clock.environment))
        if self.disk:
            self.caches["disk"] = self.disk.folder / "cache"
            tight = {"cache": self.caches["disk"], "temporary": self.disk.folder / "tmp"}
            self.seats.append(self._seat("disk", 2, walled | {new_set: 25}, cache_size="32m", **tight))
        if docker:
            self.seats.append(self._seat("docker", 2, walled, backend="docker"))

    def _seat(
        self, name: str, agents: int, mix: dict[Kind, int], *options: str,
        backend: str = "native", cache_size: str = CACHE_SIZE, **where,
    ) -> Seat:  # fmt: skip
        all_options = [f"--max-memory={MEMORY}", f"--max-processes={PROCESSES}", f"--max-cache-size={cache_size}"]
        all_options += ["--require-sandbox"] if backend != "none" else []
        all_options += [f"--uv-path={self._uv}", *options]
        settings = {"temporary": self.temporary, "cache": self.caches["shared"], "java_options": self._flags} | where

        def start() -> Server:
            return self.installation.start(*all_options, backend=backend, **settings)

        return Seat(name, self.desk, start, agents, mix)

    def __getitem__(self, name: str) -> Seat:
        return next(seat for seat in self.seats if seat.name == name)

    def __contains__(self, name: str) -> bool:
        return any(seat.name == name for seat in self.seats)

    def close(self) -> None:
        if self.disk:
            self.disk.remove()
        shutil.rmtree(self.work)

    @property
    def lives(self) -> list[Life]:
        return [life for seat in self.seats for life in seat.lives]

    @property
    def temporaries(self) -> list[Path]:
        return [self.temporary, *([self.disk.folder / "tmp"] if self.disk else [])]
