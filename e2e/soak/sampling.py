"""Looks at every server once a second: memory, descriptors, threads, processes, folders."""

import os
import re
import shutil
import subprocess
import threading
import time
from pathlib import Path

from soak.desk import Desk
from soak.seats import Fleet, Life

MEGABYTE = 1 << 20
TOKEN = re.compile(rb"soak-\d+-\d+")
# A container is seen off by its engine, which takes its time on a busy machine.
SECONDS_TO_GO = 20
CACHE_EVERY = 10


class Sampler:
    def __init__(self, fleet: Fleet, desk: Desk):
        self._fleet, self._desk = fleet, desk
        self.caches: list[dict] = []
        self.folders: list[tuple[float, int, int]] = []
        """Time, servers that live, folders of servers in the temporary folder."""
        self.overdue: dict[str, str] = {}
        """Processes of calls that were over, by token."""
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
            self._look(number)
            number += 1
            due = max(due + 1, time.monotonic() + 0.2)
            self._stop.wait(due - time.monotonic())

    def _look(self, number: int) -> None:
        now = self._desk.now()
        parents, lines = processes()
        living = [life for life in self._fleet.lives if not life.doomed]
        for life in living:
            if sample := sample_of(life, parents):
                life.samples.append({"at": now} | sample)
        self._find_overdue(lines)
        self.folders.append((now, len(living), sum(len(os.listdir(each)) for each in self._fleet.temporaries if each.is_dir())))
        if number % CACHE_EVERY == 0:
            self.caches.append({"at": now} | {name: megabytes_below(path) for name, path in self._fleet.caches.items()})

    def _find_overdue(self, lines: dict[int, bytes]) -> None:
        now = time.monotonic()
        for pid, line in lines.items():
            for token in TOKEN.findall(line):
                over = self._desk.over.get(token.decode())
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
                pass  # it ended meanwhile
    return parents, lines


def sample_of(life: Life, parents: dict[int, int]) -> dict | None:
    pid = life.server.process.pid
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
        return None  # it ended meanwhile


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
                pass  # it went meanwhile
    return sum(sizes.values()) / MEGABYTE


def live_heap(pid: int) -> dict[str, int]:
    """Bytes of what is reachable, after a collection, by class; "Total" is all of it."""
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
