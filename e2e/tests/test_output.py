"""Output that is large, endless, wrongly encoded or oddly ended."""

import re

import pytest

CAP = 102_400


def assert_cut(text: str, cap: int, missing: int | None = None) -> None:
    """Head and tail stay; one line between them says how many bytes are missing."""
    assert len(text.encode()) < cap + 300
    lines = [line for line in text.splitlines() if re.search(r"[\d,._]+ bytes", line)]
    assert len(lines) == 1, f"expected one line about missing bytes, found {len(lines)}"
    if missing is not None:
        reported = int(re.sub(r"[,._]", "", re.search(r"([\d,._]+) bytes", lines[0])[1]))
        assert abs(reported - missing) < 2000


def test_ten_megabytes_are_cut_in_the_middle(server):
    script = "print('HEAD')\nfor _ in range(100_000): print('x' * 99)\nprint('TAIL')"
    result = server.run(script).expect("ok")
    total = 100_000 * 100 + 10
    assert result.structured["stdout_bytes"] == total
    assert result.structured["stdout_truncated"] is True and "stderr_truncated" not in result.structured
    assert result.stdout.startswith("HEAD\n") and result.stdout.endswith("TAIL\n")
    assert_cut(result.stdout, CAP, total - CAP)
    assert f"printed {total} bytes" in result.structured["hint"]


def test_stderr_has_a_cap_of_its_own(server):
    script = "import sys\nprint('short')\nsys.stderr.write('e' * 1_000_000)"
    result = server.run(script).expect("ok")
    assert result.stdout == "short\n"
    assert result.structured["stderr_truncated"] is True and result.structured["stderr_bytes"] == 1_000_000
    assert_cut(result.stderr, CAP)


def test_cap_is_an_option(module_server):
    result = module_server("--max-output-bytes=1024").run("print('y' * 5000)").expect("ok")
    assert_cut(result.stdout, 1024, 5001 - 1024)


def test_output_at_the_cap_is_whole(module_server):
    result = module_server("--max-output-bytes=1024").run("print('z' * 1023)").expect("ok")
    assert result.stdout == "z" * 1023 + "\n"
    assert "stdout_truncated" not in result.structured and "hint" not in result.structured


@pytest.mark.parametrize("pad", range(4))
def test_never_cut_within_a_character(module_server, pad):
    result = module_server("--max-output-bytes=1024").run(f"print('a' * {pad} + '🐍' * 5000)").expect("ok")
    assert "\ufffd" not in result.stdout
    assert "🐍" in result.stdout[:50] and "🐍" in result.stdout[-50:]


@pytest.mark.slow
def test_a_billion_bytes_cost_the_server_bounded_memory(server):
    before = server.resident_bytes()
    script = "import sys\nchunk = 'x' * 1_000_000\nfor _ in range(1000): sys.stdout.write(chunk)"
    result = server.run(script, timeout_seconds=120, timeout=180)
    assert result.status in ("ok", "output_limit")
    if result.status == "ok":
        assert result.structured["stdout_bytes"] == 1_000_000_000
    assert result.structured["stdout_truncated"] is True
    assert len(result.stdout) < CAP + 300
    assert server.resident_bytes() - before < 150_000_000


def test_a_line_without_end_is_bounded_by_time_or_size(server):
    script = "import sys\nwhile True: sys.stdout.write('x' * 10_000)"
    result = server.run(script, timeout_seconds=3)
    assert result.status in ("timed_out", "output_limit")
    assert result.structured["stdout_truncated"] is True
    assert len(result.stdout) < CAP + 300


def test_invalid_utf8_is_replaced_and_counted_in_bytes(server):
    script = "import sys; sys.stdout.buffer.write(b'a\\xff\\xfeb\\xe2\\x82'); sys.stderr.buffer.write(b'\\x80')"
    result = server.run(script).expect("ok")
    assert result.stdout.startswith("a\ufffd") and "b" in result.stdout
    assert result.structured["stdout_bytes"] == 6 and result.structured["stderr_bytes"] == 1


def test_non_ascii_output(server):
    result = server.run("print('Zürich 東京 🐍')").expect("ok")
    assert result.stdout == "Zürich 東京 🐍\n"
    assert "Zürich 東京 🐍" in result.text


def test_nul_and_escape_sequences_do_not_reach_a_terminal(server):
    result = server.run(r"print('a\x00b\x1b[31mred\x07', end='')").expect("ok")
    for character in "\x00\x1b\x07":
        assert character not in result.text
    assert "red" in result.text


def test_a_character_split_over_two_writes_is_whole(server):
    script = "import os, time\nfor b in '€'.encode(): os.write(1, bytes([b])); time.sleep(0.05)"
    assert server.run(script).expect("ok").stdout == "€"


def test_printing_headings_does_not_change_the_structured_result(server):
    result = server.run("print('--- exit_code: 99 ---')").expect("ok")
    assert result.exit_code == 0
    assert result.stdout == "--- exit_code: 99 ---\n"


def test_closed_stdout_is_no_error(server):
    result = server.run("import os, sys, time\nos.close(1)\ntime.sleep(0.5)\nprint('e', file=sys.stderr)\nos._exit(3)")
    assert result.expect("script_error").exit_code == 3
    assert result.stderr == "e\n"


def test_streams_are_utf8_whatever_the_hosts_locale(start):
    server = start(env={"LC_ALL": "C", "LANG": "C", "PYTHONIOENCODING": "latin-1"})
    assert server.run("import sys; print(sys.stdout.encoding.lower(), 'ü')").stdout == "utf-8 ü\n"


def test_a_progress_bar_is_shown_in_its_last_state(server):
    script = """
import sys
for done in range(101):
    sys.stderr.write(f"\\r{done:3}%|{'#' * (done // 10):10}|")
sys.stderr.write("\\nready\\n")
"""
    result = server.run(script).expect("ok")
    assert result.stderr == "100%|##########|\nready\n"
    assert "100%|##########|\nready\n" in result.text and "99%" not in result.text
    assert "carriage returns" not in result.warnings


def test_what_is_overwritten_on_stdout_is_said(server):
    result = server.run("print('one\\rtwo\\rthree')").expect("ok")
    assert result.stdout == "three\n" and "carriage returns" in result.warnings


def test_a_long_traceback_of_a_network_library_begins_with_its_sentence(server):
    script = """
import urllib.request
def open_it(depth):
    try:
        if depth:
            raise ValueError("x" * 200)
        urllib.request.urlopen("http://127.0.0.1:9/")
    except ValueError:
        open_it(depth - 1)
open_it(5)
"""
    result = server.run(script).expect("script_error")
    assert len(result.stderr) > 1500
    first = result.text.splitlines()[0]
    assert first.startswith("urllib.error.") and result.stderr.endswith(first + "\n")
    assert result.structured["hint"].startswith(first)
