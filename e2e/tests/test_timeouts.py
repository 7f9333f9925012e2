"""The script's time is limited; installing does not count."""

import time

import pytest

from harness.scripts import sleeping_with_child
from harness.survivors import assert_gone


@pytest.mark.on_docker
def test_timed_out_script_says_so_and_keeps_what_it_printed(server):
    result = server.run("import time\nprint('before', flush=True)\ntime.sleep(60)", timeout_seconds=2).expect("timed_out")
    assert result.section("timed_out").value == "true"
    assert result.structured["timed_out"] is True
    assert result.stdout == "before\n"
    assert result.exit_code == 137
    assert 2000 <= result.structured["duration_ms"] < 15000


def test_exit_code_is_the_same_when_the_interpreter_handles_no_signals_any_more(server):
    """As in its last moments, when it has removed its handlers."""
    script = (
        "import signal, time\n"
        "for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, 32, 33}:\n"
        "    signal.signal(number, signal.SIG_DFL)\n"
        "time.sleep(60)\n"
    )
    assert server.run(script, timeout_seconds=2).expect("timed_out").exit_code == 137


@pytest.mark.on_docker
def test_children_go_with_the_script(server, marker):
    server.run(sleeping_with_child(marker), timeout_seconds=3).expect("timed_out")
    assert_gone(marker)


def test_too_long_is_clamped_with_a_warning(start):
    server = start("--max-timeout=2", "--default-timeout=1")
    started = time.monotonic()
    result = server.run("import time; time.sleep(60)", timeout_seconds=45).expect("timed_out")
    assert time.monotonic() - started < 30
    assert "45" in result.warnings and "2" in result.warnings
    assert "45" in result.section("warning").value


def test_too_short_is_clamped_with_a_warning(server):
    for seconds in (0, -5):
        result = server.run("print(1)", timeout_seconds=seconds).expect("ok")
        assert str(seconds) in result.warnings


def test_within_limits_there_is_no_warning(server):
    assert "timeout" not in server.run("print(1)", timeout_seconds=300).expect("ok").warnings.lower()


def test_default_timeout_applies(start):
    server = start("--default-timeout=1")
    server.run("import time; time.sleep(60)").expect("timed_out")


@pytest.mark.on_docker
def test_busy_loop_is_killed(server):
    server.run("while True: pass", timeout_seconds=2).expect("timed_out")


@pytest.mark.on_docker
def test_ignoring_sigterm_does_not_help(server):
    script = (
        "import signal, time\n"
        "for n in range(1, 65):\n"
        "    try: signal.signal(n, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\n"
        "while True: time.sleep(1)\n"
    )
    server.run(script, timeout_seconds=2).expect("timed_out")


def test_install_time_is_apart_from_the_scripts(start, installation, local_index, tmp_path):
    server = start(f"--uv-path={installation.fetched_uv()}", cache=tmp_path / "cache", env=local_index.environment)
    result = server.run("import six; print('ok')", dependencies=["six==1.17.0"], timeout_seconds=5).expect("ok")
    assert result.structured["install_ms"] > 0
    assert int(result.section("install_ms").value) == result.structured["install_ms"]
    assert result.structured["duration_ms"] < 5000
