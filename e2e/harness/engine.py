"""The engine behind the docker backend: whatever goes by the name of docker on PATH, which may be podman."""

import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PROVISION = REPOSITORY / "e2e/provision/docker.sh"
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
    """Of servers with this temporary folder alone, by the label that names it."""
    listed = docker("ps", "--all", "--quiet", "--filter", f"label={SERVER}").split()
    return _labelled("container", "{{.Name}} {{index .Config.Labels", listed, temporary)


def volumes(temporary: Path) -> list[str]:
    listed = docker("volume", "ls", "--quiet", "--filter", f"label={SERVER}").split()
    return _labelled("volume", "{{.Name}} {{index .Labels", listed, temporary)


def _labelled(kind: str, labels: str, listed: list[str], temporary: Path) -> list[str]:
    if not listed:
        return []
    # One that has left meanwhile makes it fail, but not for the others.
    command = ["docker", kind, "inspect", "--format", labels + ' "' + SERVER + '"}}', *listed]
    described = subprocess.run(command, capture_output=True, text=True)
    return [each for each in described.stdout.splitlines() if str(temporary) in each]


def containers_with(marker: str) -> list[str]:
    """Those in which a process has the marker among its arguments; from outside, gVisor's processes are not seen."""
    if RUNTIME not in os.environ:
        return []
    look = ["sh", "-c", "grep -l -F -f - /proc/[0-9]*/cmdline"]
    return [
        each
        for each in docker("ps", "--quiet", "--filter", f"label={SERVER}").split()
        if subprocess.run(["docker", "exec", "-i", each, *look], input=marker, text=True, capture_output=True).stdout
    ]


def nowhere(folder: Path) -> dict[str, str]:
    """Variables that lead docker, and podman, to an engine that does not run."""
    return {name: f"unix://{folder}/docker.sock" for name in ("DOCKER_HOST", "CONTAINER_HOST")}


def restart(place: str | None = None) -> None:
    """The engine that was started in a place; that of e2e/run if none is named."""
    subprocess.run([PROVISION, "restart", place or os.environ["E2E_DOCKER_PLACE"]], check=True)


@dataclass(frozen=True)
class FullEngine:
    """One whose disk is full, but for an image of the name that the Dockerfile asks for."""

    variables: dict[str, str | None]
    image: str


@contextmanager
def full_engine() -> Iterator[FullEngine]:
    """Runs beside the other; both are left alone by each other."""
    place = Path(tempfile.mkdtemp(prefix="e2e-docker-"))
    disk = place / "data"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}", "tmpfs", disk], check=True)
    try:
        # In a network of its own: engines share the name of their bridge, and its addresses.
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
