"""Fixtures for all clients: an empty home, the command of the server, a way to run the client."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.http_server import http_server
from harness.server import clean_environment

SECONDS = 150


@dataclass(frozen=True)
class ClientMachine:
    """Runs clients in an empty folder with an empty home, so that settings of the user have no effect."""

    folder: Path
    server: list[str]
    url: str | None = None
    """Of the server, for a client that is to reach it by HTTP."""

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def project(self) -> Path:
        return self.folder / "project"

    def run(self, *command: str, errors: int = subprocess.STDOUT, **variables: str) -> str:
        """What the client wrote."""
        done = subprocess.run(
            command, cwd=self.project, env=clean_environment(HOME=str(self.home), **variables),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True, timeout=SECONDS,
        )  # fmt: skip
        assert done.returncode == 0, f"{command[0]}: exit code {done.returncode}\n{done.stdout[-3000:]}"
        return done.stdout


@pytest.fixture(scope="session")
def server_command(installation, backend) -> list[str]:
    """The command for clients. It contains the variables, because clients pass on few of theirs."""
    variables = [f"{name}={value}" for name, value in clean_environment().items()]
    command = installation.command(*installation.options(backend), "--require-sandbox", "--no-warm-cache")
    return ["env", "-i", *variables, *command]


@pytest.fixture(scope="session")
def url(installation, backend) -> str:
    with http_server(installation, backend, "--require-sandbox", "--http-sse") as server:
        yield server.url


@pytest.fixture(scope="module")
def machine(tmp_path_factory, server_command) -> ClientMachine:
    return empty_machine(tmp_path_factory, server_command)


@pytest.fixture(scope="module", params=["stdio", "HTTP"])
def machine_by(request, tmp_path_factory, server_command, url) -> ClientMachine:
    """A machine for a client that starts the server, and one for a client that reaches it by HTTP."""
    return empty_machine(tmp_path_factory, server_command, url if request.param == "HTTP" else None)


def empty_machine(tmp_path_factory, *server) -> ClientMachine:
    machine = ClientMachine(tmp_path_factory.mktemp("client"), *server)
    for folder in (machine.home, machine.project):
        folder.mkdir()
    return machine
