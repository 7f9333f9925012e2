"""Fixtures: servers that tests share, servers that a test starts for itself, and which tests apply to this run."""

import os
import uuid

import pytest

from harness.engine import RUNTIME
from harness.index import PackageIndex
from harness.installation import QUICK_START, Installation
from harness.wheels import build_wheel


def pytest_addoption(parser):
    parser.addoption("--backends", default="native,none", help="comma-separated: native, none, docker")


def pytest_generate_tests(metafunc):
    if "backend" in metafunc.fixturenames:
        backends = metafunc.config.getoption("backends").split(",")
        if metafunc.definition.get_closest_marker("native_only"):
            backends = ["native"] if "native" in backends else []
        if metafunc.definition.get_closest_marker("docker_only"):
            backends = ["docker"] if "docker" in backends else []
        if metafunc.definition.get_closest_marker("isolated"):
            backends = [backend for backend in backends if backend != "none"]
        if metafunc.definition.get_closest_marker("any_backend"):
            backends = backends[:1]
        metafunc.parametrize("backend", backends, scope="session")


def pytest_collection_modifyitems(config, items):
    """Deselects tests that do not apply to this run, so that they are not reported as skipped."""
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
    return Installation.from_environment(QUICK_START)


@pytest.fixture(scope="session")
def ready(installation, backend) -> None:
    """Builds the image of the docker backend, so that no test waits for it."""
    if backend == "docker":
        done = installation.command_line("run", *installation.options(backend), "--require-sandbox", "pass", timeout=1500)
        assert done.returncode == 0, done.stderr.decode()


@pytest.fixture(scope="session")
def shared_server(installation, backend, ready):
    """Requires the sandbox: without it the tests must fail rather than run unisolated."""
    with installation.start(*(["--require-sandbox"] if backend != "none" else []), backend=backend) as server:
        server.initialize()
        yield server


@pytest.fixture
def server(shared_server):
    """The server that most tests use, one after the other. It must respond before and after each test."""
    shared_server.assert_alive()
    yield shared_server
    shared_server.assert_alive()


@pytest.fixture(scope="module")
def module_server(installation, backend, ready):
    """Returns a server with the given options; the tests of a module that ask for the same options share it."""
    servers = {}

    def find_or_start(*options: str, env: dict[str, str] | None = None):
        key = (options, tuple((env or {}).items()))
        if key not in servers:
            servers[key] = installation.start(*options, backend=backend, env=env)
            servers[key].initialize()
        servers[key].assert_alive()
        return servers[key]

    yield find_or_start
    close_all(list(servers.values()))


@pytest.fixture
def start(installation, backend, ready):
    """Starts servers for one test; they are closed and checked when the test ends."""
    servers = []

    def start_server(*options: str, initialize: bool = True, **settings):
        server = installation.start(*options, **({"backend": backend} | settings))
        servers.append(server)
        if initialize:
            server.initialize()
        return server

    yield start_server
    close_all(servers)


def close_all(servers: list) -> None:
    """Closes all of them, also when one does not end as it must; then raises the first failure."""
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


@pytest.fixture(scope="session")
def local_index(tmp_path_factory):
    """An index on this machine with three small packages: installing them downloads nothing from elsewhere."""
    wheels = tmp_path_factory.mktemp("wheels")
    for name, version in (("six", "1.17.0"), ("idna", "3.9"), ("toml", "0.10.2")):
        build_wheel(wheels, name, version, f"__version__ = '{version}'\n")
    with PackageIndex(wheels) as index:
        yield index


@pytest.fixture
def marker() -> str:
    return f"e2e-marker-{uuid.uuid4().hex}"
