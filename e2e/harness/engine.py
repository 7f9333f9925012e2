"""The docker engine beside the server under test: whether it answers, what it holds, and its restart."""

import shutil
import subprocess
from pathlib import Path

PROGRAM = Path(__file__).parents[1] / "provision/docker.sh"
_SERVER = '{{.Label "dev.pysandbox.server"}}'


def docker_works() -> bool:
    if not shutil.which("docker"):
        return False
    return subprocess.run(["docker", "info"], capture_output=True).returncode == 0


def containers(temporary: Path) -> list[str]:
    """Of servers with this temporary folder alone, by the label that names it."""
    return _labelled(["docker", "ps", "--all", "--format", "{{.Names}} " + _SERVER], temporary)


def volumes(temporary: Path) -> list[str]:
    return _labelled(["docker", "volume", "ls", "--format", "{{.Name}} " + _SERVER], temporary)


def _labelled(command: list[str], temporary: Path) -> list[str]:
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    return [each for each in listed.stdout.splitlines() if str(temporary) in each]


def restart_engine(place: str) -> None:
    subprocess.run([PROGRAM, "restart", place], check=True)
