"""The soak run's own eyes, tried on a fake server and on folders that are not as they should be."""

import fcntl
import zipfile
from pathlib import Path

import pytest
from test_harness import fake

from harness.server import Server
from harness.wheels import build_wheel
from soak.calls import Kind, hello, ping
from soak.desk import EXCUSED, FAILED, GOOD, INTERRUPTED, Desk
from soak.seats import Life, Seat
from soak.verdict import GROWTH, HEAP_GROWTH, answered, broken_environments, grown, locks_held, lost, stages


def sitting(kind: Kind, calls: int = 2) -> tuple[Seat, Desk]:
    desk = Desk(calls, 0, seed=1)
    return Seat("seat", desk, fake, 1, {kind: 1}), desk


def ended(seat: Seat) -> None:
    for life in seat.lives:
        life.server.kill()


def test_good_calls_are_counted():
    seat, desk = sitting(ping)
    seat.work()
    ended(seat)
    assert [record.outcome for record in desk.records] == [GOOD, GOOD]


def test_the_answer_to_another_call_is_seen():
    seat, desk = sitting(hello, 1)
    seat.work()
    ended(seat)
    assert [record.outcome for record in desk.records] == [FAILED]
    assert "printed 'hi" in answered(desk)[0]


def test_calls_cut_off_by_the_end_of_a_server_are_interrupted_and_a_successor_takes_over():
    def cut_off(server: Server, ticket) -> None:
        pending = server.start_call("execute_python", {"sleep": 60})
        if ticket.number == 0:
            seat.doom("SIGKILL").server.process.kill()
            server.tool_result(pending)

    seat, desk = sitting(cut_off)
    seat.work()
    ended(seat)
    assert [record.outcome for record in desk.records] == [INTERRUPTED, GOOD]
    assert len(seat.lives) == 2


def test_a_server_that_ends_by_itself_is_a_failure():
    def crash(server: Server, ticket) -> None:
        server.process.kill()
        server.request("ping")

    seat, desk = sitting(crash, 1)
    seat.work()
    assert [record.outcome for record in desk.records] == [FAILED]


def test_a_refusal_is_excused_only_while_there_is_a_reason():
    seat, desk = sitting(hello, 1)

    def refused(server: Server, ticket) -> None:
        failure = AssertionError("refused")
        failure.result = server.call("execute_python", {})
        raise failure

    seat.mix = {refused: 1}
    excuse = seat.excuse("disk full", lambda result: True)
    seat.work()
    ended(seat)
    assert [record.outcome for record in desk.records] == [EXCUSED] and len(excuse.texts) == 1


def test_calls_without_an_end_are_lost():
    desk = Desk(3, 0, seed=1)
    while desk.next():
        pass
    assert len(lost(desk, type("Nobody", (), {"lives": []}))) == 3


def life_of(seconds: int, sample) -> tuple[Life, Desk]:
    seat, desk = sitting(ping, 1)
    desk.open()
    seat.work()
    desk.records[0] = type(desk.records[0])(0, "ping", "seat", 0, seconds, GOOD)
    life = seat.lives[0]
    life.samples = [{"at": at, **{name: sample(at) for name in GROWTH}} for at in range(seconds)]
    ended(seat)
    return life, desk


def test_growth_is_seen_and_a_high_beginning_is_not():
    assert len(grown(*life_of(600, lambda at: 100 + at))) == len(GROWTH)
    assert not grown(*life_of(600, lambda at: 300 if at < 60 else 100))


def test_what_stays_reachable_is_seen():
    life, desk = life_of(600, lambda at: 100)
    life.heaps = [(100, {"Total": 10 << 20, "[B": 1}), (500, {"Total": (10 << 20) + HEAP_GROWTH + 1, "[B": 9})]
    assert "[B" in grown(life, desk)[0]


@pytest.fixture
def environment(tmp_path) -> Path:
    packages = tmp_path / "environments" / "a" / "lib" / "python3.13" / "site-packages"
    packages.mkdir(parents=True)
    (tmp_path / "environments" / "a" / "pyvenv.cfg").write_text("")
    zipfile.ZipFile(build_wheel(tmp_path, "tiny", "1.0", "")).extractall(packages)
    return packages


def test_environments_that_lack_something_are_seen(tmp_path, environment):
    assert not broken_environments(tmp_path)
    (environment / "tiny.py").unlink()
    assert "tiny.py" in broken_environments(tmp_path)[0]


def test_half_made_ones_are_seen(tmp_path):
    (tmp_path / "install" / ("0" * 32)).mkdir(parents=True)
    (tmp_path / "install" / "cache").mkdir()
    assert len(stages(tmp_path)) == 1


def test_locks_are_seen(tmp_path):
    (tmp_path / "locks").mkdir()
    with open(tmp_path / "locks" / "all", "w") as file:
        assert not locks_held(tmp_path)
        fcntl.lockf(file, fcntl.LOCK_EX)
        assert len(locks_held(tmp_path)) == 1
