"""What a server leaves behind: processes, temporary folders, mounts, cgroups, environments."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from harness.engine import containers_with

SETTLE_SECONDS = 10
OWN_NAMES = ("bwrap", "supervisor.py", "script.py", "/uv ")


@dataclass(frozen=True)
class Snapshot:
    """The names of what exists at one moment; comparing two gives what was added."""

    processes: frozenset[str]
    temporary: frozenset[str]
    mounts: frozenset[str]
    cgroups: frozenset[str]
    cached: frozenset[str]

    def added_since(self, before: "Snapshot") -> list[str]:
        return sorted(
            f"{kind}: {name}"
            for kind in self.__dataclass_fields__
            for name in getattr(self, kind) - getattr(before, kind)
        )


@dataclass(frozen=True)
class Whereabouts:
    """The folders of one server, by which what it leaves is distinguished from what other servers leave."""

    temporary: Path
    cache: Path
    server: int | None = None
    """Its process; processes of other running servers on the same cache do not count."""

    def snapshot(self) -> Snapshot:
        return Snapshot(
            processes=frozenset(self._processes()),
            temporary=frozenset(map(str, self.temporary.iterdir())) | frozenset(_named_temporary()),
            mounts=frozenset(self._mounts()),
            cgroups=frozenset(filter(self._concerns, _cgroups())),
            cached=frozenset(self._cached()),
        )

    def assert_nothing_added(self, before: Snapshot) -> None:
        if added := self.added_since(before):
            raise AssertionError("left behind:\n  " + "\n  ".join(added))

    def added_since(self, before: Snapshot, besides: tuple[str, ...] = ()) -> list[str]:
        """Waits up to SETTLE_SECONDS until nothing is added any more; returns what still is, without some kinds."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while True:
            added = [item for item in self.snapshot().added_since(before) if not item.startswith(besides)]
            if not added or time.monotonic() > deadline:
                return added
            time.sleep(0.2)

    def process_count(self) -> int:
        return len(list(self._processes()))

    def _processes(self):
        ours = (str(self.temporary), str(self.cache))
        own = os.getpid()
        for process in psutil.process_iter(["pid", "cmdline"]):
            line = " ".join(process.info["cmdline"] or [])
            if process.info["pid"] == own or "sandbox.jar" in line:
                continue
            here = any(path in line for path in ours)
            if not here and not any(name in line for name in OWN_NAMES):
                continue
            ancestors = dict(_ancestors(process))
            of_another = any("sandbox.jar" in command and pid != self.server for pid, command in ancestors.items())
            if (here or own in ancestors) and not of_another:
                yield f"{process.info['pid']} {line[:200]}"

    def _concerns(self, group: str) -> bool:
        """Whether a group, python-sandbox-RANDOM.PROCESS.NUMBER, is of this server; without a server, of a dead one."""
        number = group.rpartition("python-sandbox-")[2].split(".")[1:2]
        if not number or not number[0].isdigit():
            return True
        return int(number[0]) == self.server if self.server else not psutil.pid_exists(int(number[0]))

    def _mounts(self):
        for line in Path("/proc/self/mountinfo").read_text().splitlines():
            if str(self.temporary) in line or str(self.cache) in line or "python-sandbox" in line:
                yield line.split()[4]

    def _cached(self):
        """Two levels: enough to see an environment more, without uv's own archive."""
        for first in self.cache.iterdir() if self.cache.is_dir() else ():
            if first.name == "archives":  # of classes, which a server writes when it is idle
                continue
            yield str(first)
            if first.is_dir() and os.access(first, os.R_OK):
                # The marks of environments and wheels are written when they are compiled, after the response.
                yield from (str(path) for path in first.iterdir() if not path.name.startswith(("compiled-", "wheel-")))


def _ancestors(process: psutil.Process):
    try:
        for parent in process.parents():
            yield parent.pid, " ".join(parent.cmdline())
    except psutil.Error:
        pass  # it has ended


def _named_temporary():
    """Folders of this user with the product's name that no running server has locked."""
    locked = {line.split()[5].rpartition(":")[2] for line in Path("/proc/locks").read_text().splitlines()}
    for entry in Path("/tmp").glob("python-sandbox-[!e]*"):
        try:
            files = [entry, *entry.iterdir()] if entry.stat().st_uid == os.getuid() else []
            if files and not any(str(file.stat().st_ino) in locked for file in files):
                yield str(entry)
        except (FileNotFoundError, NotADirectoryError):
            pass


def _cgroups():
    for root, folders, _ in os.walk("/sys/fs/cgroup"):
        yield from (f"{root}/{name}" for name in folders if "python-sandbox" in name)
        if root.count("/") > 7:
            folders.clear()


def carrying(marker: str) -> list[psutil.Process]:
    """Processes with the marker as an argument, inside or outside of sandboxes."""
    found = []
    for process in psutil.process_iter(["pid", "cmdline", "status"]):
        if process.info["status"] != psutil.STATUS_ZOMBIE and marker in (process.info["cmdline"] or []):
            found.append(process)
    return found


def wait_until_running(marker: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not (carrying(marker) or containers_with(marker)):
        assert time.monotonic() < deadline, f"no process carries {marker} after {seconds} s"
        time.sleep(0.05)


def assert_gone(marker: str, seconds: float = 5) -> None:
    deadline = time.monotonic() + seconds
    while left := carrying(marker) or containers_with(marker):
        if time.monotonic() > deadline:
            for process in carrying(marker):
                process.kill()
            raise AssertionError(f"still running after {seconds} s: {left}")
        time.sleep(0.05)
