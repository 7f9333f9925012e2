"""--http: the server by HTTP, as a user starts it and ends it."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.http_server import http_server
from harness.survivors import assert_gone, wait_until_running


@pytest.fixture(scope="module")
def http(installation, backend, ready):
    with http_server(installation, backend, *(["--require-sandbox"] if backend != "none" else [])) as server:
        yield server
        server.assert_alive()


def long_script(marker: str, seconds: int = 60) -> str:
    """A script with a process that carries the marker."""
    program = f"import time; time.sleep({seconds})"
    return f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {program!r}, '{marker}'])\nprint('over')"


def test_a_script_runs_and_stdout_stays_empty(http):
    assert http.run("print(6 * 7)").expect("ok").stdout == "42\n"
    http.process.check_stdout()
    assert http.process.unclaimed.empty()


@pytest.mark.any_backend
def test_health_and_readiness(http):
    assert http.send("GET", "/healthz").body == b"ok\n"
    assert http.send("GET", "/readyz").body == b"ready\n"


@pytest.mark.any_backend
def test_a_session_outlives_its_connection(http):
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "e2e", "version": "1"}}
    begin = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    session = http.send("POST", "/mcp", begin, headers).headers["mcp-session-id"]
    ping = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "ping"})
    assert http.send("POST", "/mcp", ping, headers | {"Mcp-Session-Id": session}).message()["result"] == {}
    assert http.send("POST", "/mcp", ping, headers | {"Mcp-Session-Id": session[:-1] + "_"}).status == 404
    assert http.send("POST", "/mcp", ping, headers).status == 400


@pytest.mark.any_backend
def test_many_clients_at_once(http):
    """More than run at the same time: the others wait, and none is lost."""
    with ThreadPoolExecutor(64) as pool:
        results = list(pool.map(lambda number: http.run(f"print({number})"), range(128)))
    assert [int(result.expect("ok").stdout) for result in results] == list(range(128))


@pytest.mark.any_backend
@pytest.mark.parametrize("stream", [True, False])
def test_a_client_that_leaves_cancels_its_call(http, marker, stream):
    connection = http.connect()
    connection.request(*http.call_request("execute_python", {"script": long_script(marker), "timeout_seconds": 60}))
    wait_until_running(marker)
    if stream:
        assert connection.getresponse().readline() == b": \n"
    connection.close()
    assert_gone(marker, 15)


@pytest.mark.isolated
def test_a_script_cannot_reach_the_server(http):
    for host in ("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.0.0.1.nip.io"):
        script = f"import urllib.request\nprint(urllib.request.urlopen('http://{host}:{http.port}/healthz', timeout=5).read())"
        result = http.run(script)
        assert "b'ok" not in result.stdout, f"{host} is reached: {result.stdout}"


@pytest.mark.any_backend
def test_a_running_call_ends_before_the_server(installation, backend, marker):
    with http_server(installation, backend, "--drain-seconds=30") as server:
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(server.run, long_script(marker, 4))
            wait_until_running(marker)
            server.process.terminate()
            deadline = time.monotonic() + 10
            while server.send("GET", "/readyz").status == 200:
                assert time.monotonic() < deadline
            assert server.send("GET", "/readyz").body == b"draining\n"
            refused = server.send(*server.call_request("execute_python", {"script": "print()"}))
            assert refused.status == 503 and refused.headers["retry-after"] == "1"
            assert running.result(30).expect("ok").stdout == "over\n"
    assert_gone(marker)


@pytest.mark.any_backend
def test_a_call_that_takes_too_long_is_ended_and_answered(installation, backend, marker):
    with http_server(installation, backend, "--drain-seconds=1") as server:
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(server.run, long_script(marker))
            wait_until_running(marker)
            server.process.terminate()
            running.result(30).expect("cancelled")
    assert_gone(marker)


@pytest.mark.any_backend
@pytest.mark.parametrize(
    "options, said",
    [
        (["--http=0.0.0.0:8080"], "no authentication yet"),
        (["--http=[::]:8080"], "no authentication yet"),
        (["--http=192.0.2.1:8080"], "no authentication yet"),
        (["--http=70000"], "must look like"),
        (["--http=x"], "must look like"),
        (["--http=0", "--allow-origin=*"], "--allow-origin must look like"),
        (["--http=0", "--drain-seconds=-1"], "--drain-seconds must be at least 0"),
        (["mcp-config", "cursor", "--http=8080"], "stdio only"),
    ],
)
def test_what_is_refused_at_the_start(installation, backend, options, said):
    done = installation.command_line(*options, *installation.options(backend))
    assert done.returncode == 2 and not done.stdout
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1 and said in lines[0]


@pytest.mark.any_backend
def test_a_port_in_use_is_refused(installation, backend, http):
    done = installation.command_line(f"--http={http.port}", *installation.options(backend))
    assert done.returncode == 2
    assert f"--http {http.port}: can't listen there" in done.stderr.decode()


@pytest.mark.any_backend
def test_a_start_on_stdin_loads_no_class_for_http(installation, backend, tmp_path):
    log = tmp_path / "classes.txt"
    options = [f"-Xlog:class+load:file={log}"]
    with installation.start(backend=backend, java_options=options) as server:
        server.initialize()
        server.run("print(1)").expect("ok")
    loaded = log.read_text()
    assert "dev.pysandbox.mcp.McpServer " in loaded
    assert "dev.pysandbox.mcp.http" not in loaded and "sun.net.httpserver" not in loaded


@pytest.mark.any_backend
def test_nothing_is_left(installation, backend):
    with http_server(installation, backend) as server:
        before = server.process.whereabouts.snapshot()
        threads = [threading.Thread(target=server.run, args=("print(1)",)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        server.process.terminate()
        server.process.expect_exit(0)
        server.process.whereabouts.assert_nothing_added(before)
