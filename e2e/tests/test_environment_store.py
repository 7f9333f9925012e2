"""Environments that several servers share: made once, limited in size, never partial, compiled after the response."""

import re
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.any_backend

SIX = {"script": "import six; print(six.__version__)", "dependencies": ["six==1.17.0"]}
SECONDS = 90
# A module whose bytecode has megabytes: the compiler writes the block of each `finally` twice.
DEPTH = 16
BLOATED = "".join(f"{' ' * level}try: a\n{' ' * level}finally:\n" for level in range(DEPTH)) + " " * DEPTH + "b.c\n"


@pytest.fixture
def own(start, installation, local_index, tmp_path):
    """Starts servers that share a cache folder which no other test uses."""

    def start_server(*options: str, env=local_index.environment):
        return start(f"--uv-path={installation.fetched_uv()}", *options, cache=tmp_path / "cache", env=env)

    return start_server


@pytest.fixture
def cache(tmp_path) -> Path:
    return tmp_path / "cache"


def holding(cache: Path, module: str) -> list[Path]:
    return [found.parents[3] for found in cache.glob(f"environments/*/lib/*/site-packages/{module}")]


def compiled(environment: Path) -> Path:
    """The mark of a compiled environment, which is outside of it, where packages cannot write."""
    return environment.parents[1] / "known" / f"compiled-{environment.name}"


def eventually(condition, what: str):
    deadline = time.monotonic() + SECONDS
    while not (found := condition()):
        assert time.monotonic() < deadline, f"not within {SECONDS} s: {what}"
        time.sleep(0.1)
    return found


def test_packages_are_compiled_after_the_response_without_running_them(own, cache):
    """A .pth file of the environment is read by a script's interpreter, never by the compiler's."""
    server = own()
    assert server.call("execute_python", SIX).expect("ok").stdout == "1.17.0\n"
    (environment,) = holding(cache, "six.py")
    eventually(lambda: compiled(environment).exists(), "the environment is compiled")
    assert list(environment.glob("lib/*/site-packages/__pycache__/six.*.pyc"))
    loaded = server.run("import six; print(six.__cached__, six.__spec__.has_location)", dependencies=["six==1.17.0"])
    assert loaded.expect("ok").stdout.endswith(".pyc True\n")
    server.close()
    compiled(environment).unlink()
    (packages,) = environment.glob("lib/*/site-packages")
    (packages / "trap.pth").write_text("import os; open('/env/trapped', 'w')\n")
    own().call("execute_python", SIX)
    eventually(lambda: compiled(environment).exists(), "the environment is compiled again")
    assert not (environment / "trapped").exists()


def test_least_recently_used_is_evicted_but_never_one_in_use(own, cache):
    first = own()
    first.run("pass", dependencies=["idna==3.9"]).expect("ok")
    first.close()
    using = own()
    using.call("execute_python", SIX).expect("ok")
    small = own("--max-cache-size=1k")
    small.run("pass", dependencies=["toml==0.10.2"]).expect("ok")
    eventually(lambda: not holding(cache, "idna.py"), "the unused environment is deleted")
    kept = {environment.name for environment in (cache / "environments").iterdir()}
    marks = {mark.name.removeprefix("compiled-") for mark in (cache / "known").glob("compiled-*")}
    assert marks <= kept, "the mark of an environment is deleted with it"
    assert holding(cache, "six.py"), "another server uses it"
    assert holding(cache, "toml.py"), "this server uses it"
    assert using.call("execute_python", SIX).expect("ok").stdout == "1.17.0\n"
    eventually(lambda: not leftovers(cache), "nothing is left of deleted environments")


def test_bytecode_counts_for_eviction(own, cache):
    """An existing environment grows when it is compiled, although nothing is installed."""
    first = own()
    first.run("pass", dependencies=["idna==3.9"]).expect("ok")
    first.call("execute_python", SIX).expect("ok")
    (environment,) = holding(cache, "six.py")
    eventually(lambda: compiled(environment).exists(), "the environment is compiled")
    first.close()
    compiled(environment).unlink()
    (packages,) = environment.glob("lib/*/site-packages")
    (packages / "bloated.py").write_text(BLOATED)
    small = own("--max-cache-size=5m")
    left = cache / "install" / ("0" * 32)
    left.mkdir()
    eventually(lambda: not left.exists(), "the server has deleted leftovers and evicted environments")
    assert holding(cache, "idna.py"), "there was room"
    small.call("execute_python", SIX).expect("ok")
    eventually(lambda: not holding(cache, "idna.py"), "the least recently used is deleted")
    assert max(path.stat().st_size for path in packages.glob("__pycache__/bloated.*.pyc")) > 5 << 20


def leftovers(cache: Path) -> list[Path]:
    folder = cache / "install"
    return [path for path in folder.iterdir() if re.search("[0-9a-f]{32}$", path.name)] if folder.is_dir() else []


def numpy(version: str) -> dict:
    return {"script": "import numpy; print('whole')", "dependencies": [f"numpy=={version}"], "timeout_seconds": 60}


@pytest.mark.slow
def test_server_killed_while_installing_leaves_no_partial_environment(own, cache):
    for version in ("2.3.2", "2.3.3", "2.3.4"):
        server = own(env=None)
        server.start_call("execute_python", numpy(version))
        eventually(lambda: leftovers(cache), "the installation has begun")
        server.kill()
        if left := leftovers(cache):
            break  # else the install had already ended, and the next version is tried
    assert left
    assert not holding(cache, f"numpy-{version}.dist-info")
    again = own(env=None)
    assert again.call("execute_python", numpy(version), timeout=180).expect("ok").stdout == "whole\n"
    eventually(lambda: not any(path.exists() for path in left), "the leftovers are deleted")


@pytest.mark.slow
@pytest.mark.native_only
def test_several_servers_make_an_environment_once(own, cache):
    servers = [own() for _ in range(5)]
    servers[0].run("pass").expect("ok")
    pending = [(server, server.start_call("execute_python", SIX)) for server in servers]
    results = [server.tool_result(call, 180).expect("ok") for server, call in pending]
    assert [result.stdout for result in results] == ["1.17.0\n"] * 5
    assert sum("install_ms:" in result.text for result in results) == 1, "all others reused it"
    assert len(holding(cache, "six.py")) == 1


def test_list_of_packages_is_warmed_when_the_server_is_idle_and_may(start, installation, tmp_path):
    """Checks only that it begins, and ends with the server: the download itself is large."""
    cold, warm = tmp_path / "not-warming", tmp_path / "warming"
    not_warming = start(f"--uv-path={installation.fetched_uv()}", cache=cold)
    not_warming.run("print(1)").expect("ok")
    server = start(f"--uv-path={installation.fetched_uv()}", cache=warm, warm=True)
    server.request("tools/list", {})  # as every client does; the server loads the rest only then
    eventually(lambda: leftovers(warm), "packages are being installed")
    assert server.run("print(1)").expect("ok").stdout == "1\n"
    server.close()
    assert not leftovers(cold) and not (cold / "install" / "cache").exists(), "--no-warm-cache"
