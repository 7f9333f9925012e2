"""What another user of the machine sees of a server: its processes, and the files in its temporary folder.

As root, an unprivileged user looks. Without root there is no other user: the command lines of the user's own processes
and the modes of the folders are checked instead.
"""

import json
import os
import subprocess
import threading
from pathlib import Path

OTHER = 65533
EVERYONE = 0o077

# Reads needles from the first line of its input and looks for them until its input ends; prints where it found them.
PROCESSES = r"""
import json, os, select, sys
wanted = json.loads(sys.stdin.readline())
needles, files = [text.encode() for text in wanted["needles"]], wanted["files"]
found, rounds = set(), 0
while not select.select([sys.stdin], [], [], 0.002)[0]:
    rounds += 1
    for pid in filter(str.isdigit, os.listdir("/proc")):
        for file in files:
            try:
                with open(f"/proc/{pid}/{file}", "rb") as stream:
                    text = stream.read()
            except OSError:
                continue
            for needle in needles:
                if needle in text:
                    found.add(f"{needle.decode()} in {file} of {text[:20]!r}")
print(json.dumps({"found": sorted(found), "rounds": rounds}))
"""

# Tries to connect to each socket of the folder whose numbers are known, and to open each file whose name is.
FOLDER = r"""
import json, os, select, socket, sys
wanted = json.loads(sys.stdin.readline())
found, rounds = set(), 0
names = ["supervisor/supervisor.py", "seccomp.bpf", "docker-seccomp.json", "etc/passwd", "docker-etc/passwd", "lock"]
while not select.select([sys.stdin], [], [], 0.002)[0]:
    rounds += 1
    try:
        folders = [entry.path for entry in os.scandir(wanted["folder"]) if "python-sandbox-" in entry.name]
    except OSError:
        folders = []
    for folder in folders:
        for number in range(1, 60):
            with socket.socket(socket.AF_UNIX) as client:
                if client.connect_ex(f"{folder}/proxy-{number}") == 0:
                    found.add(f"connected to proxy-{number}")
            if os.path.exists(f"{folder}/options-{number}"):
                found.add(f"sees options-{number}")
        for name in names:
            if os.path.exists(f"{folder}/{name}"):
                found.add(f"sees {name}")
print(json.dumps({"found": sorted(found)[:10], "rounds": rounds}))
"""


class Looking:
    """Runs one of the programs above while it is entered; then `found` has what it saw."""

    def __init__(self, program: str, wanted: dict):
        self._program, self._wanted = program, wanted
        self.found: list[str] = []

    def __enter__(self) -> "Looking":
        other = {"user": OTHER, "group": OTHER, "extra_groups": []} if os.geteuid() == 0 else {}
        self._process = subprocess.Popen(
            ["/usr/bin/python3", "-c", self._program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/",
            text=True, **other,
        )  # fmt: skip
        self._process.stdin.write(json.dumps(self._wanted) + "\n")
        self._process.stdin.flush()
        return self

    def __exit__(self, *_) -> None:
        seen = json.loads(self._process.communicate(timeout=60)[0])
        assert seen["rounds"] > 5, "the other user did not get to look"
        self.found = seen["found"]


def at_processes(*needles: str) -> Looking:
    files = ["cmdline", "environ"] if os.geteuid() == 0 else ["cmdline"]
    return Looking(PROCESSES, {"needles": needles, "files": files})


def into_folder(folder: Path) -> Looking:
    return Looking(FOLDER, {"folder": str(folder)})


def open_folders(folder: Path) -> list[str]:
    """The server's own folders in it that others may enter, where there is no other user to try it."""
    return [entry.name for entry in folder.glob("*python-sandbox-*") if entry.stat().st_mode & EVERYONE]


class InspectedContainers:
    """Asks a docker engine about its containers again and again while it is entered; `found` has the needles seen."""

    def __init__(self, needles: list[str]):
        self._needles = needles
        self.found: set[str] = set()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> "InspectedContainers":
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(0.1):
            ids = self._docker("ps", "--all", "--quiet").split()
            text = self._docker("ps", "--all", "--no-trunc") + (self._docker("inspect", *ids) if ids else "")
            self.found |= {f"{needle} in docker inspect or ps" for needle in self._needles if needle in text}

    @staticmethod
    def _docker(*arguments: str) -> str:
        return subprocess.run(["docker", *arguments], capture_output=True, text=True).stdout
