"""The harness, tried on a fake server with known faults: it must detect each of them."""

import ssl
import subprocess
import sys
import time
import urllib.request
import zipfile
from pathlib import Path

import pytest

import report
from harness.certificates import issue_for_localhost
from harness.index import PackageIndex
from harness.junit import write_junit
from harness.proxy import RecordingProxy
from harness.results import ToolResult
from harness.server import Server, ServerError, clean_environment
from harness.survivors import Whereabouts, assert_gone, carrying, wait_until_running
from harness.wheels import build_wheel

FAKE = Path(__file__).with_name("fake_server.py")


def fake(*arguments: str) -> Server:
    return Server([sys.executable, str(FAKE), *arguments], clean_environment(), Path.cwd())


def test_calls_and_takes_the_result_apart():
    with fake() as server:
        server.initialize()
        result = server.call("execute_python", {"script": "print('hi')"})
        assert result.section_names() == ["stdout", "exit_code", "duration_ms"]
        assert result.section("stdout").body == "hi"
        assert result.section("exit_code").value == "0"
        assert result.expect("ok").stdout == "hi\n"


def test_keeps_slow_answers_apart_from_quick_ones():
    with fake() as server:
        slow = server.start_call("execute_python", {"sleep": 0.5})
        server.request("ping")
        assert not slow.done()
        assert server.tool_result(slow).exit_code == 0


def test_hands_over_errors_without_an_id():
    with fake() as server:
        server.send_raw(b"{oops\n")
        assert server.next_unclaimed()["error"]["code"] == -32700


def test_gathers_progress():
    with fake() as server:
        server.call("execute_python", {}, progress_token="p1")
        assert [n["params"]["progressToken"] for n in server.notifications] == ["p1"]


def test_notices_an_answer_to_a_cancelled_call():
    server = fake("answers-cancelled")
    server.cancel(server.start_call("execute_python", {"sleep": 0.2}))
    time.sleep(0.6)
    with pytest.raises(AssertionError, match="answered though cancelled"):
        server.close()


def test_does_not_mind_a_cancelled_call_left_unanswered():
    with fake() as server:
        server.cancel(server.start_call("execute_python", {"sleep": 0.2}))
        time.sleep(0.6)


def test_notices_anything_but_json_rpc_on_stdout():
    server = fake("chatty")
    with pytest.raises(AssertionError, match="not a JSON-RPC line"):
        server.request("ping")
    server.kill()


def test_notices_a_wrong_exit_code_and_shows_stderr():
    with pytest.raises(AssertionError, match="(?s)exit code 3, expected 0.*fake server is up"):
        fake("exit-3").close()


def test_notices_a_server_that_does_not_end():
    server = fake("stays")
    with pytest.raises(ServerError, match="still running"):
        server.close(seconds=1)
    assert server.process.poll() is not None


def test_an_error_where_a_result_was_due_fails():
    with fake() as server:
        with pytest.raises(AssertionError, match="was refused"):
            server.request("no/such")
        assert server.refusal("no/such")["code"] == -32601


def test_status_and_is_error_must_agree():
    with pytest.raises(AssertionError):
        ToolResult({"content": [{"type": "text", "text": ""}], "structuredContent": {"status": "install_failed"}}).expect(
            "install_failed"
        )


def test_environment_is_clean():
    env = clean_environment(HOME=None, EXTRA="1")
    assert "HOME" not in env and env["EXTRA"] == "1"
    assert not any(name.startswith(("AWS_", "E2E_", "PYTEST_")) for name in env)


def test_survivors_are_named(tmp_path):
    places = Whereabouts(tmp_path / "tmp", tmp_path / "cache")
    for folder in (places.temporary, places.cache / "environments"):
        folder.mkdir(parents=True)
    before = places.snapshot()
    (places.temporary / "left").mkdir()
    (places.cache / "environments" / "one-more").mkdir()
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)", str(places.temporary)])
    try:
        while not any(str(child.pid) in line for line in places.snapshot().processes):
            time.sleep(0.05)
        added = "\n".join(places.snapshot().added_since(before))
        assert "temporary:" in added and "cached:" in added and f"processes: {child.pid}" in added
    finally:
        child.kill()
        child.wait()


def test_marked_processes_are_found_and_missed(marker):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)", marker])
    wait_until_running(marker)
    with pytest.raises(AssertionError, match="still running"):
        assert_gone(marker, 0.2)
    child.wait()
    assert not carrying(marker)


def test_tls_index_serves_a_wheel_that_pip_installs_through_the_proxy(tmp_path):
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    build_wheel(wheels, "tinypkg", "1.0", "ANSWER = 42\n")
    ca, certificate, key = issue_for_localhost(tmp_path)
    with PackageIndex(wheels, (certificate, key)) as index, RecordingProxy() as proxy:
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--isolated", "--target", str(tmp_path / "to")]
        command += ["--index-url", index.url, "--cert", str(ca), "--proxy", proxy.url, "tinypkg==1.0"]
        subprocess.run(command, check=True, env=clean_environment(), timeout=60)
        assert (tmp_path / "to/tinypkg.py").read_text() == "ANSWER = 42\n"
        assert "/simple/tinypkg/" in index.requests
        assert any(target.startswith("localhost:") for target in proxy.targets)


def test_index_refuses_who_does_not_know_its_authority(tmp_path):
    _, certificate, key = issue_for_localhost(tmp_path)
    with PackageIndex(tmp_path, (certificate, key)) as index:
        with pytest.raises(OSError) as refusal:
            urllib.request.urlopen(index.url, context=ssl.create_default_context(), timeout=10)
    assert "certificate" in str(refusal.value).lower()


def test_wheel_is_whole(tmp_path):
    wheel = build_wheel(tmp_path, "tinypkg", "1.0", "", requires=("six==1.17.0",))
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        assert b"Requires-Dist: six==1.17.0" in archive.read("tinypkg-1.0.dist-info/METADATA")


def test_report_names_what_failed(tmp_path, capsys):
    write_junit(tmp_path / "suite.xml", "suite", [("a", "good", []), ("a", "bad[native]", ["line 1\nline 2"])])
    assert report.main([f"some={tmp_path}/suite.xml", f"other={tmp_path}/none.xml"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3:] == ["FAILED some: bad[native]: line 1 line 2", "FAILED other: no report", "1 passed, 2 failed"]
