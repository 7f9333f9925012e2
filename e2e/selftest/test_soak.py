"""The checks of the soak, tried on a fake server and on folders with known faults."""

import fcntl
import zipfile
from pathlib import Path

import pytest
from test_harness import fake

from harness.server import Server
from harness.wheels import build_wheel
from soak.calls import Kind, hello, ping
from soak.workload import FAILED, GOOD, INTERRUPTED, REFUSED, Workload
from soak.fleet import ServerInstance, ServerSlot
from soak.checks import GROWTH, HEAP_GROWTH, answered, broken_environments, grown, locks_held, lost, stages


def slot_with(kind: Kind, calls: int = 2) -> tuple[ServerSlot, Workload]:
    workload = Workload(calls, 0, seed=1)
    return ServerSlot("slot", workload, fake, 1, {kind: 1}), workload


def ended(slot: ServerSlot) -> None:
    for instance in slot.instances:
        instance.server.kill()


def test_good_calls_are_counted():
    slot, workload = slot_with(ping)
    slot.work()
    ended(slot)
    assert [record.outcome for record in workload.records] == [GOOD, GOOD]


def test_the_response_to_another_call_is_detected():
    slot, workload = slot_with(hello, 1)
    slot.work()
    ended(slot)
    assert [record.outcome for record in workload.records] == [FAILED]
    assert "printed 'hi" in answered(workload)[0]


def test_calls_cut_off_by_the_end_of_a_server_are_interrupted_and_a_successor_takes_over():
    def cut_off(server: Server, planned) -> None:
        pending = server.start_call("execute_python", {"sleep": 60})
        if planned.number == 0:
            slot.expect_end("SIGKILL").server.process.kill()
            server.tool_result(pending)

    slot, workload = slot_with(cut_off)
    slot.work()
    ended(slot)
    assert [record.outcome for record in workload.records] == [INTERRUPTED, GOOD]
    assert len(slot.instances) == 2


def test_a_server_that_ends_by_itself_is_a_failure():
    def crash(server: Server, planned) -> None:
        server.process.kill()
        server.request("ping")

    slot, workload = slot_with(crash, 1)
    slot.work()
    assert [record.outcome for record in workload.records] == [FAILED]


def test_a_refusal_is_allowed_only_in_its_period():
    slot, workload = slot_with(hello, 1)

    def refused(server: Server, planned) -> None:
        failure = AssertionError("refused")
        failure.result = server.call("execute_python", {})
        raise failure

    slot.mix = {refused: 1}
    allowed = slot.allow_refusal("disk full", lambda result: True)
    slot.work()
    ended(slot)
    assert [record.outcome for record in workload.records] == [REFUSED] and len(allowed.texts) == 1


def test_calls_without_an_end_are_lost():
    workload = Workload(3, 0, seed=1)
    while workload.next():
        pass
    assert len(lost(workload, type("NoFleet", (), {"instances": []}))) == 3


def instance_of(seconds: int, sample) -> tuple[ServerInstance, Workload]:
    slot, workload = slot_with(ping, 1)
    workload.open()
    slot.work()
    workload.records[0] = type(workload.records[0])(0, "ping", "slot", 0, seconds, GOOD)
    instance = slot.instances[0]
    instance.samples = [{"at": at, **{name: sample(at) for name in GROWTH}} for at in range(seconds)]
    ended(slot)
    return instance, workload


def test_growth_is_detected_and_a_high_beginning_is_not():
    assert len(grown(*instance_of(600, lambda at: 100 + at))) == len(GROWTH)
    assert not grown(*instance_of(600, lambda at: 300 if at < 60 else 100))


def test_what_stays_reachable_is_detected():
    instance, workload = instance_of(600, lambda at: 100)
    instance.heaps = [(100, {"Total": 10 << 20, "[B": 1}), (500, {"Total": (10 << 20) + HEAP_GROWTH + 1, "[B": 9})]
    assert "[B" in grown(instance, workload)[0]


@pytest.fixture
def environment(tmp_path) -> Path:
    packages = tmp_path / "environments" / "a" / "lib" / "python3.13" / "site-packages"
    packages.mkdir(parents=True)
    (tmp_path / "environments" / "a" / "pyvenv.cfg").write_text("")
    zipfile.ZipFile(build_wheel(tmp_path, "tiny", "1.0", "")).extractall(packages)
    return packages


def test_environments_that_lack_files_are_detected(tmp_path, environment):
    assert not broken_environments(tmp_path)
    (environment / "tiny.py").unlink()
    assert "tiny.py" in broken_environments(tmp_path)[0]


def test_partial_environments_are_detected(tmp_path):
    (tmp_path / "install" / ("0" * 32)).mkdir(parents=True)
    (tmp_path / "install" / "cache").mkdir()
    assert len(stages(tmp_path)) == 1


def test_locks_are_detected(tmp_path):
    (tmp_path / "locks").mkdir()
    with open(tmp_path / "locks" / "all", "w") as file:
        assert not locks_held(tmp_path)
        fcntl.lockf(file, fcntl.LOCK_EX)
        assert len(locks_held(tmp_path)) == 1
