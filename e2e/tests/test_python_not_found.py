"""A valid version that does not exist."""

import time

import pytest

from harness.index import PackageIndex
from harness.server import Server, clean_environment

pytestmark = pytest.mark.any_backend
AGAIN_SECONDS = 1.0


@pytest.fixture
def server(installation, backend, tmp_path):
    options = [f"--sandbox-backend={backend}", "--python-version=3.99", f"--cache-dir={tmp_path}", "--no-warm-cache"]
    options += [f"--uv-path={installation.fetched_uv()}"]
    with PackageIndex(tmp_path) as source:  # has no list of Pythons
        env = clean_environment(UV_PYTHON_DOWNLOADS_JSON_URL=source.url)
        with Server(installation.command(*options), env, tmp_path) as server:
            server.source = source
            server.initialize()
            yield server


def test_is_reported_when_a_script_is_run(server):
    result = server.run("print(1)", timeout=120)
    assert result.is_error
    assert "3.99" in result.text and "--python-version" in result.text
    assert result.status in ("install_failed", "sandbox_unavailable")
    server.assert_alive()


def test_the_second_report_does_not_wait_for_a_download(server):
    server.run("print(1)", timeout=120)
    requests = len(server.source.requests)
    assert requests > 0
    started = time.monotonic()
    result = server.run("print(1)", timeout=120)
    assert time.monotonic() - started < AGAIN_SECONDS
    assert len(server.source.requests) == requests
    assert result.is_error and "tried again after" in result.text and "sandbox.jar warm" in result.text
    assert "tried again after" in server.call("check_environment").text


def test_an_installed_python_is_found_at_once(installation, backend, tmp_path):
    """The failed download is remembered on disk; the search on this machine is not."""
    options = [f"--sandbox-backend={backend}", f"--cache-dir={tmp_path / 'cache'}"]
    options += [f"--uv-path={installation.fetched_uv()}"]
    missing = installation.command_line("run", *options, "--python-version=3.99", "print(1)")
    assert missing.returncode == 125, missing.stderr.decode()
    checked = installation.command_line("check", *options, "--python-version=3.99")
    assert b"tried again after" in checked.stdout + checked.stderr
    found = installation.command_line("run", *options, f"--python-version={installation.python_version}", "print(1)")
    assert found.stdout == b"1\n", found.stderr.decode()
