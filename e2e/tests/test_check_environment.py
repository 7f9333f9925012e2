"""check_environment: the fixed lines, the live probe, and the fixes for problems."""

import re
import time
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.as_user


@pytest.mark.on_docker
def test_fixed_lines_in_order(server, installation, backend):
    lines = server.call("check_environment").text.splitlines()
    starts = ["Python version:", "uv:", "Platform:", "Sandbox backend:", "Sandbox status:", "Default timeout: 30s",
              "Max timeout: 300s", "Max output: 102400 bytes", "Cache warming: "]  # fmt: skip
    found = [next(i for i, line in enumerate(lines) if line.startswith(start)) for start in starts]
    assert found == list(range(found[0], found[0] + len(starts)))
    assert installation.python_version in lines[found[0]]
    assert re.search(r"\d+\.\d+\.\d+", lines[found[1]]), "uv's version"
    assert lines[found[3]] == f"Sandbox backend: {backend}"


def test_structured_says_what_the_text_says(server, backend):
    result = server.call("check_environment")
    structured, lines = result.structured, result.text.splitlines()
    assert structured["sandbox"] == backend and f"Sandbox status: {structured['sandbox_status']}" in lines
    assert (structured["default_timeout_seconds"], structured["max_output_bytes"]) == (30, 102400)
    assert lines[9:] == structured["probes"] + structured["remedies"]


@pytest.mark.any_backend
def test_says_that_the_cache_is_warmed(start):
    assert "Cache warming: enabled" in start(warm=True).call("check_environment").text


@pytest.mark.on_docker
@pytest.mark.isolated
def test_probe_inside_the_sandbox(server):
    text = server.call("check_environment").text.lower()
    probe = text.partition("cache warming:")[2]
    assert "home" in probe and "network" in probe


def test_none_is_never_silent(server, backend):
    result = server.call("check_environment")
    assert not result.is_error
    text = result.text.lower()
    if backend == "none":
        assert "no sandbox" in text or "not sandboxed" in text or "warning" in text
    else:
        assert "not sandboxed" not in text


@pytest.mark.native_only
def test_says_how_memory_is_limited_where_there_is_no_control_group(server):
    text = server.call("check_environment").text
    lines = [line for line in text.splitlines() if line.startswith("Memory limit:")]
    if runs_scripts_in_control_groups(server):
        assert lines == []
    else:
        (line,) = lines
        assert "counted by the supervisor" in line and "exceed it by" in line and "To fix:" in line


def runs_scripts_in_control_groups(server) -> bool:
    server.start_call("execute_python", {"script": "import time; time.sleep(3)"})
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        for process in psutil.Process(server.process.pid).children(recursive=True):
            try:
                if "script.py" in process.cmdline():
                    return "/python-sandbox-" in Path(f"/proc/{process.pid}/cgroup").read_text()
            except (psutil.NoSuchProcess, OSError):
                pass
        time.sleep(0.05)
    raise AssertionError("no script runs")
