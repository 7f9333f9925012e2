"""--max-concurrent: calls wait in the order of their arrival, and progress messages report their position."""

import time

import pytest

from harness.survivors import assert_gone, wait_until_running

pytestmark = pytest.mark.any_backend


@pytest.fixture(scope="module")
def narrow(installation, backend):
    with installation.start("--max-concurrent=1", backend=backend) as server:
        server.initialize()
        server.run("pass")
        yield server


def messages(server, token) -> list[str]:
    progress = [n["params"] for n in server.notifications if n["method"] == "notifications/progress"]
    return [p["message"] for p in progress if p["progressToken"] == token]


def wait_for_message(server, token, message):
    deadline = time.monotonic() + 30
    while message not in messages(server, token):
        assert time.monotonic() < deadline, f"{token} did not receive {message!r}, but {messages(server, token)}"
        time.sleep(0.05)


def occupy(server, marker):
    """A call that runs until it is cancelled."""
    script = f"import time\nopen('{marker}', 'w')\ntime.sleep(60)  # {marker}"
    running = server.start_call("execute_python", {"script": script, "timeout_seconds": 60}, f"{marker}-first")
    wait_for_message(server, f"{marker}-first", "running")
    return running


def test_calls_wait_for_their_turn_in_order(narrow, marker):
    first = occupy(narrow, marker)
    script = "import time\nprint(time.monotonic())"
    waiting = []
    for number in range(4):
        token = f"{marker}-{number}"
        # Waiting is not running: it does not count against the script's time.
        waiting.append(narrow.start_call("execute_python", {"script": script, "timeout_seconds": 3}, token))
        wait_for_message(narrow, token, "waiting (next)" if number == 0 else f"waiting ({number} ahead)")
    time.sleep(3.5)
    assert not any(call.done() for call in waiting)
    narrow.cancel(first)
    times = [float(narrow.tool_result(call).expect("ok").stdout) for call in waiting]
    assert times == sorted(times)


def test_a_waiting_call_can_be_cancelled(narrow, marker):
    first = occupy(narrow, marker)
    second = narrow.start_call("execute_python", {"script": "print(2)"}, f"{marker}-2")
    wait_for_message(narrow, f"{marker}-2", "waiting (next)")
    third = narrow.start_call("execute_python", {"script": "print(3)"}, f"{marker}-3")
    wait_for_message(narrow, f"{marker}-3", "waiting (1 ahead)")
    narrow.cancel(second)
    wait_for_message(narrow, f"{marker}-3", "waiting (next)")
    narrow.cancel(first)
    assert narrow.tool_result(third).stdout == "3\n"
    assert not second.done()


def test_the_other_tools_do_not_wait(narrow, marker):
    first = occupy(narrow, marker)
    assert narrow.call("validate_script", {"script": "print(1)"}).text.startswith("VALID")
    assert "Sandbox status:" in narrow.call("check_environment").text
    assert narrow.run("# /// script\n# dependencies = 5\n# ///\n").is_error
    narrow.request("ping", timeout=5)
    assert not first.done()
    narrow.cancel(first)
    assert narrow.run("print('free')").stdout == "free\n"


def test_waiting_calls_end_with_the_input(installation, backend, marker):
    with installation.start("--max-concurrent=1", backend=backend) as server:
        server.initialize()
        script = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import time; time.sleep(60)', '{marker}'])"
        server.start_call("execute_python", {"script": script, "timeout_seconds": 60})
        wait_until_running(marker)
        server.start_call("execute_python", {"script": "print(1)"})
    assert_gone(marker)
