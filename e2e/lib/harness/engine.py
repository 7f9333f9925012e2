"""The engine of the docker backend: the program `docker` on PATH, which may be podman."""

import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
PROVISION = REPOSITORY / "e2e/lib/provision/docker.sh"
SERVER = "dev.pysandbox.server"  # the label that names a server's temporary folder
SMALL_DISK = "32m"
RUNTIME = "PYTHON_SANDBOX_DOCKER_RUNTIME"


def docker(*arguments: str | Path, **environment: str) -> str:
    """What it prints."""
    command = ["docker", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


def docker_works() -> bool:
    if not shutil.which("docker"):
        return False
    return subprocess.run(["docker", "info"], capture_output=True).returncode == 0


def containers(temporary: Path) -> list[str]:
    """The containers of servers with this temporary folder, by the label that names it."""
    listed = docker("ps", "--all", "--quiet", "--filter", f"label={SERVER}").split()
    return _labelled("container", "{{.Name}} {{index .Config.Labels", listed, temporary)


def volumes(temporary: Path) -> list[str]:
    listed = docker("volume", "ls", "--quiet", "--filter", f"label={SERVER}").split()
    return _labelled("volume", "{{.Name}} {{index .Labels", listed, temporary)


def _labelled(kind: str, labels: str, listed: list[str], temporary: Path) -> list[str]:
    if not listed:
        return []
    # It fails if one was removed since, but still prints the others.
    command = ["docker", kind, "inspect", "--format", labels + ' "' + SERVER + '"}}', *listed]
    described = subprocess.run(command, capture_output=True, text=True)
    return [each for each in described.stdout.splitlines() if str(temporary) in each]


def containers_with(marker: str) -> list[str]:
    """The containers in which a process has the marker as an argument; the host does not see gVisor's processes."""
    if RUNTIME not in os.environ:
        return []
    look = ["sh", "-c", "grep -l -F -f - /proc/[0-9]*/cmdline"]
    return [
        each
        for each in docker("ps", "--quiet", "--filter", f"label={SERVER}").split()
        if subprocess.run(["docker", "exec", "-i", each, *look], input=marker, text=True, capture_output=True).stdout
    ]


def nowhere(folder: Path) -> dict[str, str]:
    """Variables that point docker and podman to an engine that does not run."""
    return {name: f"unix://{folder}/docker.sock" for name in ("DOCKER_HOST", "CONTAINER_HOST")}


def restart(place: str | None = None) -> None:
    """Restarts the engine that was started in a folder, by default the one of e2e/run."""
    subprocess.run([PROVISION, "restart", place or os.environ["E2E_DOCKER_PLACE"]], check=True)


@dataclass(frozen=True)
class FullEngine:
    """An engine whose disk is full; it has only an image with the name that the Dockerfile requires."""

    variables: dict[str, str | None]
    image: str


@contextmanager
def full_engine() -> Iterator[FullEngine]:
    """Runs beside the other engine and shares nothing with it."""
    place = Path(tempfile.mkdtemp(prefix="e2e-docker-"))
    disk = place / "data"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}", "tmpfs", disk], check=True)
    try:
        # In a separate network namespace: engines use the same bridge name and addresses.
        subprocess.run(["unshare", "--net", PROVISION, "start_engine", place], check=True)
        host = f"unix://{place}/docker.sock"
        with tarfile.open(place / "image.tar", "w") as image:
            image.add(shutil.which("env"), "usr/bin/env")
        base = next(
            line.removeprefix("ARG BASE=")
            for line in (REPOSITORY / "profiles/Dockerfile").read_text().splitlines()
            if line.startswith("ARG BASE=")
        )
        docker("import", place / "image.tar", base, DOCKER_HOST=host)
        _fill(disk / "filling")
        yield FullEngine({"DOCKER_HOST": host, RUNTIME: None}, base)
    finally:
        subprocess.run([PROVISION, "stop", place], check=True)


def _fill(file: Path) -> None:
    with file.open("wb", buffering=0) as filling:
        try:
            while True:
                filling.write(bytes(4096))
        except OSError:
            pass  # full
