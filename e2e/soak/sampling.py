"""Measures every server once a second: memory, descriptors, threads, processes, folders."""

import os
import re
import shutil
import subprocess
import threading
import time
from pathlib import Path

from soak.workload import Workload
from soak.fleet import Fleet, ServerInstance

MEGABYTE = 1 << 20
TOKEN = re.compile(rb"soak-\d+-\d+")
# The engine removes containers, which is slow on a busy machine.
SECONDS_TO_GO = 20
CACHE_EVERY = 10


class Sampler:
    def __init__(self, fleet: Fleet, workload: Workload):
        self._fleet, self._workload = fleet, workload
        self.caches: list[dict] = []
        self.folders: list[tuple[float, int, int]] = []
        """Time, servers that live, folders of servers in the temporary folder."""
        self.overdue: dict[str, str] = {}
        """Processes that outlived their call, by token."""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        due = time.monotonic()
        number = 0
        while not self._stop.is_set():
            self._measure(number)
            number += 1
            due = max(due + 1, time.monotonic() + 0.2)
            self._stop.wait(due - time.monotonic())

    def _measure(self, number: int) -> None:
        now = self._workload.now()
        parents, lines = processes()
        living = [instance for instance in self._fleet.instances if not instance.ended_by]
        for instance in living:
            if sample := sample_of(instance, parents):
                instance.samples.append({"at": now} | sample)
        self._find_overdue(lines)
        self.folders.append((now, len(living), sum(len(os.listdir(each)) for each in self._fleet.temporaries if each.is_dir())))
        if number % CACHE_EVERY == 0:
            self.caches.append({"at": now} | {name: megabytes_below(path) for name, path in self._fleet.caches.items()})

    def _find_overdue(self, lines: dict[int, bytes]) -> None:
        now = time.monotonic()
        for pid, line in lines.items():
            for token in TOKEN.findall(line):
                over = self._workload.over.get(token.decode())
                if over is not None and now - over > SECONDS_TO_GO:
                    self.overdue[token.decode()] = f"{pid} {line[:200].decode(errors='replace')}"


def processes() -> tuple[dict[int, int], dict[int, bytes]]:
    """The parent and the command line of each process."""
    parents, lines = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                stat = Path("/proc", name, "stat").read_text()
                parents[int(name)] = int(stat.rpartition(")")[2].split()[1])
                lines[int(name)] = Path("/proc", name, "cmdline").read_bytes()
            except (OSError, ValueError):
                pass  # it has ended
    return parents, lines


def sample_of(instance: ServerInstance, parents: dict[int, int]) -> dict | None:
    pid = instance.server.process.pid
    try:
        status = dict(
            line.split(":", 1) for line in Path("/proc", str(pid), "status").read_text().splitlines() if ":" in line
        )
        descriptors = len(os.listdir(f"/proc/{pid}/fd"))
        return {
            "rss": int(status["VmRSS"].split()[0]) / 1024,
            "anonymous": int(status["RssAnon"].split()[0]) / 1024,
            "threads": int(status["Threads"]),
            "descriptors": descriptors,
            "processes": descendants(pid, parents),
        }
    except (OSError, KeyError):
        return None  # it has ended


def descendants(pid: int, parents: dict[int, int]) -> int:
    children: dict[int, list[int]] = {}
    for child, parent in parents.items():
        children.setdefault(parent, []).append(child)
    found, todo = 0, [pid]
    while todo:
        below = children.get(todo.pop(), [])
        found += len(below)
        todo += below
    return found


def megabytes_below(folder: Path) -> float:
    """What a folder takes on the disk; a file with several names counts once."""
    sizes: dict[int, int] = {}
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                found = os.lstat(os.path.join(root, name))
                sizes[found.st_ino] = found.st_blocks * 512
            except OSError:
                pass  # it was deleted
    return sum(sizes.values()) / MEGABYTE


def live_heap(pid: int) -> dict[str, int]:
    """Reachable bytes by class after a full collection, and their "Total"."""
    jcmd = Path(shutil.which("java") or "").resolve().with_name("jcmd")
    listed = subprocess.run([jcmd, "-J-XX:TieredStopAtLevel=1", str(pid), "GC.class_histogram"], capture_output=True, text=True)
    found = {}
    for line in listed.stdout.splitlines():
        words = line.split()
        if len(words) >= 4 and words[0].endswith(":"):
            found[words[3]] = int(words[2])
        elif words[:1] == ["Total"]:
            found["Total"] = int(words[2])
    return found
