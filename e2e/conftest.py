"""Fixtures: a shared server per backend, a factory for others, and which tests apply to this run."""

import os
import uuid

import pytest

from harness.engine import RUNTIME
from harness.installation import Installation


def pytest_addoption(parser):
    parser.addoption("--backends", default="native,none", help="comma-separated: native, none, docker")


def pytest_generate_tests(metafunc):
    if "backend" in metafunc.fixturenames:
        backends = metafunc.config.getoption("backends").split(",")
        if metafunc.definition.get_closest_marker("native_only"):
            backends = ["native"] if "native" in backends else []
        if metafunc.definition.get_closest_marker("docker_only"):
            backends = ["docker"] if "docker" in backends else []
        if metafunc.definition.get_closest_marker("walled"):
            backends = [backend for backend in backends if backend != "none"]
        if metafunc.definition.get_closest_marker("any_backend"):
            backends = backends[:1]
        metafunc.parametrize("backend", backends, scope="session")


def pytest_collection_modifyitems(config, items):
    """A test that can't apply here is not part of the run, rather than skipped in it."""
    backends = config.getoption("backends").split(",")
    needs = {
        "root_only": os.getuid() == 0,
        "own_engine": "E2E_DOCKER_PLACE" in os.environ,
        "host_kernel": RUNTIME not in os.environ,
        "native_only": "native" in backends,
        "docker_only": "docker" in backends,
    }
    for marker in (marker for marker, met in needs.items() if not met):
        unfit = [item for item in items if item.get_closest_marker(marker)]
        config.hook.pytest_deselected(items=unfit)
        items[:] = [item for item in items if item not in unfit]


@pytest.fixture(scope="session")
def installation() -> Installation:
    return Installation.from_environment()


@pytest.fixture(scope="session")
def ready(installation, backend) -> None:
    """No test of the docker backend need wait for its image to be built."""
    if backend == "docker":
        done = installation.command_line("run", *installation.options(backend), "--require-sandbox", "pass", timeout=1500)
        assert done.returncode == 0, done.stderr.decode()


@pytest.fixture(scope="session")
def shared_server(installation, backend, ready):
    """Where a sandbox is missing, its tests must fail rather than run without it."""
    with installation.start(*(["--require-sandbox"] if backend != "none" else []), backend=backend) as server:
        server.initialize()
        yield server


@pytest.fixture
def server(shared_server):
    """A server that many tests use, one after the other; it must be well before and after each."""
    shared_server.assert_alive()
    yield shared_server
    shared_server.assert_alive()


@pytest.fixture
def start(installation, backend, ready):
    """Starts servers with options of their own; they are closed, and looked at, when the test ends."""
    servers = []

    def start_server(*options: str, initialize: bool = True, **settings):
        server = installation.start(*options, **({"backend": backend} | settings))
        servers.append(server)
        if initialize:
            server.initialize()
        return server

    yield start_server
    failures = []
    for server in servers:
        try:
            if server.process.poll() is None:
                server.close()
        except AssertionError as failure:
            failures.append(failure)
        finally:
            if server.process.poll() is None:
                server.kill()
    if failures:
        raise failures[0]


@pytest.fixture
def marker() -> str:
    return f"e2e-marker-{uuid.uuid4().hex}"
