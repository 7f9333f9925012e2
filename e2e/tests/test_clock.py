"""The time of day jumps, as it does when a laptop wakes or a time server corrects it."""

import time
from datetime import datetime, timedelta

import pytest

from harness.clock import Clock
from harness.index import PackageIndex
from harness.wheels import build_wheel

pytestmark = pytest.mark.any_backend


def jump_to(clock: Clock, hours: float) -> None:
    clock.set(hours)
    time.sleep(1.5)


@pytest.fixture(scope="module")
def clock(tmp_path_factory) -> Clock:
    return Clock(tmp_path_factory.mktemp("clock") / "offset")


@pytest.fixture(scope="module")
def index(tmp_path_factory, clock):
    """While it answers for a file, the clock jumps by as many hours as the file's version says."""
    wheels = tmp_path_factory.mktemp("wheels")
    for hours in (5, 19):
        build_wheel(wheels, "tinypkg", f"{hours}.0", "")

    def jump(path: str) -> None:
        if path.startswith("/files/tinypkg-"):
            jump_to(clock, float(path.removeprefix("/files/tinypkg-").partition("-")[0]) - 12)

    with PackageIndex(wheels, before_answer=jump) as index:
        yield index


@pytest.fixture(scope="module")
def jumpy(installation, backend, clock, index, tmp_path_factory):
    """A server with that clock, which names the folders of kept files by the time of day."""
    kept = tmp_path_factory.mktemp("kept")
    env = clock.environment | index.environment
    options = [f"--uv-path={installation.fetched_uv()}", f"--keep-files={kept}"]
    with installation.start(*options, backend=backend, cache=tmp_path_factory.mktemp("cache"), env=env) as server:
        server.initialize()
        server.kept = kept
        yield server


@pytest.mark.parametrize("hours", [-7, 7])
def test_duration_of_an_install_is_right(jumpy, clock, hours):
    jump_to(clock, 0)
    begun = time.monotonic()
    result = jumpy.run("print(1)", dependencies=[f"tinypkg=={hours + 12}.0"]).expect("ok")
    taken = (time.monotonic() - begun) * 1000
    assert clock.hours == hours, "the clock has jumped during the install"
    assert 0 <= result.structured["install_ms"] <= taken


@pytest.mark.parametrize("hours", [-7, 7])
def test_time_limit_of_a_script_holds(jumpy, clock, hours):
    jump_to(clock, 0)
    jumpy.run("pass").expect("ok")
    slow = jumpy.start_call("execute_python", {"script": "import time; time.sleep(60)", "timeout_seconds": 4})
    quick = jumpy.start_call("execute_python", {"script": "import time; time.sleep(4)", "timeout_seconds": 30})
    jump_to(clock, hours)
    assert jumpy.tool_result(quick, 30).expect("ok").structured["duration_ms"] < 30_000
    assert 4000 <= jumpy.tool_result(slow, 30).expect("timed_out").structured["duration_ms"] < 30_000


def test_the_server_really_sees_the_clock_jump(jumpy, clock):
    for hours in (0, 24, -24):
        jump_to(clock, hours)
        expected = f"{datetime.now() + timedelta(hours=hours):%Y%m%d}"
        for _ in range(10):  # later on a busy machine
            jumpy.run("open('data.bin', 'wb').write(bytes(300_000))").expect("ok")
            days = {path.name[:8] for path in jumpy.kept.iterdir()}
            if expected in days:
                break
            time.sleep(0.5)
        assert expected in days
