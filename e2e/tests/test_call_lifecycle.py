"""Calls side by side, cancellation, progress, log messages, and every way for the server to end."""

import time

import pytest

from harness.scripts import sleeping_with_child
from harness.survivors import assert_gone, wait_until_running

pytestmark = pytest.mark.as_user


def sleep_call(server, marker, **more):
    pending = server.start_call("execute_python", {"script": sleeping_with_child(marker), "timeout_seconds": 120}, **more)
    wait_until_running(marker)
    return pending


@pytest.mark.on_docker
def test_a_slow_call_delays_neither_ping_nor_another_call(server, marker):
    slow = sleep_call(server, marker)
    server.request("ping", timeout=5)
    assert server.run("print('quick')").stdout == "quick\n"
    assert not slow.done()
    server.cancel(slow)
    assert_gone(marker)


@pytest.mark.on_docker
def test_calls_run_side_by_side(server):
    script = "import time; time.sleep(3); print('done')"
    started = time.monotonic()
    pending = [server.start_call("execute_python", {"script": script}) for _ in range(8)]
    assert all(server.tool_result(call).stdout == "done\n" for call in pending)
    assert time.monotonic() - started < 20, "eight calls of three seconds ran one after the other"


@pytest.mark.on_docker
def test_cancelled_call_is_killed_at_once_and_not_answered(server, marker):
    slow = sleep_call(server, marker)
    server.cancel(slow)
    assert_gone(marker)
    time.sleep(1)
    assert not slow.done()
    server.check_stdout()


def test_cancelling_nothing_is_ignored(server):
    for request_id in (999_999, "no-such", None, {"a": 1}):
        server.notify("notifications/cancelled", {"requestId": request_id})
    server.notify("notifications/cancelled")
    server.assert_alive()


def notified(server, kind: str) -> list[dict]:
    return [n["params"] for n in server.notifications if n["method"] == f"notifications/{kind}"]


@pytest.mark.any_backend
def test_progress_is_sent_only_for_a_token(start):
    server = start()
    server.run("print(1)", dependencies=["six==1.17.0"])
    assert not notified(server, "progress")
    server.call("execute_python", {"script": "print(1)", "dependencies": ["six==1.17.0"]}, progress_token="token-1")
    progress = notified(server, "progress")
    assert progress and all(p["progressToken"] == "token-1" for p in progress)
    values = [p["progress"] for p in progress]
    assert values == sorted(set(values)), f"progress must increase: {values}"


@pytest.mark.any_backend
def test_log_messages_are_sent_only_after_a_level_is_set(start):
    server = start("--log-level=debug")
    server.run("print(1)")
    assert not notified(server, "message")
    server.request("logging/setLevel", {"level": "debug"})
    server.run("print(1)")
    messages = notified(server, "message")
    assert messages and all(m["level"] and "data" in m for m in messages)


def test_unknown_log_level_is_invalid_params(server):
    assert server.refusal("logging/setLevel", {"level": "loud"})["code"] == -32602


def test_ends_at_end_of_input_without_a_word(start):
    server = start(initialize=False)
    server.close()


@pytest.mark.on_docker
def test_ends_at_end_of_input_after_a_call_and_leaves_nothing(start):
    server = start()
    before = server.whereabouts.snapshot()
    assert server.run("print(1)").stdout == "1\n"
    server.close()
    assert not server.whereabouts.added_since(before, besides=("cached",))
    assert not list(server.whereabouts.temporary.iterdir())


def test_calls_running_at_end_of_input_are_killed(start, marker):
    server = start()
    sleep_call(server, marker)
    server.close()
    assert_gone(marker)
    assert not list(server.whereabouts.temporary.iterdir())


def test_call_sent_just_before_end_of_input_is_answered_or_dropped_cleanly(start):
    server = start()
    server.run("pass")
    pending = server.start_call("execute_python", {"script": "print('last words')"})
    server.close()
    answer = pending.result(5) if pending.exception(5) is None else None
    assert answer is None or answer["result"]["structuredContent"]["status"] in ("ok", "cancelled")


@pytest.mark.on_docker
@pytest.mark.parametrize("running", [False, True], ids=["idle", "with-a-call"])
def test_sigterm_ends_it_with_exit_code_0(start, marker, running):
    server = start()
    server.run("pass")
    if running:
        sleep_call(server, marker)
    server.terminate()
    server.expect_exit(0)
    assert_gone(marker)
    assert not list(server.whereabouts.temporary.iterdir())


@pytest.mark.isolated
def test_nothing_runs_on_when_the_server_is_killed(start, marker):
    server = start()
    sleep_call(server, marker)
    server.process.kill()
    server.process.wait(10)
    assert_gone(marker)
