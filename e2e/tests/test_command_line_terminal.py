"""The commands as a person sees them, in a terminal."""

import dataclasses
import re
import shutil
import subprocess
import unicodedata
import uuid

import pytest

from harness.scripts import sleeping_with_child
from harness.server import clean_environment
from harness.survivors import Whereabouts, assert_gone, wait_until_running
from harness.terminal import Terminal


@pytest.fixture
def folder(installation):
    """Like tmp_path, but short enough for sockets, and readable for the user that root's sandboxes run as."""
    made = installation.work / "tmp" / uuid.uuid4().hex[:6]
    made.mkdir()
    yield made
    shutil.rmtree(made)


@pytest.fixture
def terminal(installation, backend, folder):
    def start(*arguments, env=None, cache=None):
        command = installation.command(*installation.options(backend, cache), *arguments, temporary=folder)
        return Terminal(command, clean_environment(**(env or {})), installation.work)

    return start


@pytest.fixture
def shown(terminal):
    def run(*arguments, code=0, **more):
        session = terminal(*arguments, **more)
        assert session.finish() == code, session.shown
        return session

    return run


@pytest.mark.native_only
def test_run(shown):
    session = shown("run", "-v", "x", "x = 42; print('out'); import sys; print('err', file=sys.stderr)")
    assert sorted(session.screen) == ["", "err", "out", "x = 42"]


@pytest.mark.native_only
def test_run_shows_output_while_it_comes(terminal):
    session = terminal("run", "import time\nprint('first')\ntime.sleep(60)")
    session.wait_for(b"first")
    session.type(b"\x03")
    assert session.finish() == 130


@pytest.mark.native_only
def test_a_command_says_at_once_that_it_starts(shown):
    session = shown("run", "pass")
    assert session.shown.startswith(b"starting ...\r\x1b[K")
    assert session.screen == [""]


@pytest.mark.native_only
def test_a_server_says_what_it_is(terminal):
    session = terminal("--no-warm-cache")
    session.wait_for(b"It ends at Ctrl-D or Ctrl-C.")
    assert b"mcp-config claude-code --write" in session.shown and b"--help" in session.shown
    session.type(b"\x04")
    assert session.finish() == 0


@pytest.mark.native_only
def test_install_progress_is_shown_and_erased(shown, installation, folder):
    uv = f"--uv-path={installation.fetched_uv()}"
    session = shown(uv, "run", "-d", "six", "print('done')", cache=folder / "cache")
    assert b"\r\x1b[K" in session.shown
    assert session.screen == ["done", ""]


CONTROLS = r"""
import sys
evil = (b"\x1b]0;owned\x07\x1b]52;c;ZXZpbA==\x1b\\\x1b[2J\x1b[5;5H\x1b[?1049h\x1bc\x1b[>4;2m\x9b31m\xc2\x9d0;x\x08\x7f\x00"
        + "\u202e\U000e0041\u200b".encode())
for stream in (sys.stdout.buffer, sys.stderr.buffer):
    for byte in evil:
        stream.write(bytes([byte]))
        stream.flush()
    stream.write("\x1b[1;38:5:196mcolour \u00e9\U0001f600\x1b[0m\t10%\r20%\n\x1b[41mnot reset".encode())
    stream.flush()
raise SystemExit(3)
"""


@pytest.mark.native_only
def test_a_script_does_not_control_the_terminal(shown):
    session = shown("run", CONTROLS, code=3)
    colour = re.compile(rb"\x1b\[[0-9;:]*m")
    assert colour.findall(session.shown).count(b"\x1b[1;38:5:196m") == 2
    assert session.shown.count(b"\x1b[41mnot reset") == 2
    assert session.shown.rindex(b"\x1b[0m") > session.shown.rindex(b"not reset")
    left = colour.sub(b"", session.shown).replace(b"\r\x1b[K", b"").decode()
    assert [c for c in left if c not in "\r\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Cn")] == []
    assert r"\x1b]52;c;ZXZpbA==\x1b" in left and r"\x9b31m" in left and r"\x9d0;x\x08\x7f\x00" in left
    assert r"\u202e\U000e0041\u200b" in left and "colour \u00e9\U0001f600\t10%\r20%" in left


@pytest.mark.native_only
def test_a_pipe_gets_the_bytes_as_they_are(installation, backend):
    command = installation.command(*installation.options(backend), "run", CONTROLS)
    ended = subprocess.run(command, env=clean_environment(), capture_output=True, timeout=60)
    assert b"\x1b]52;c;ZXZpbA==\x1b\\" in ended.stdout and b"\x9b31m\xc2\x9d0;x\x08\x7f\x00" in ended.stdout
    assert ended.stdout.endswith(b"\x1b[41mnot reset") and ended.stderr.startswith(ended.stdout)


@pytest.mark.native_only
def test_messages_do_not_control_the_terminal(shown):
    script = "print('\\x1b]0;owned\\x07\\u202e', flush=True); import time; time.sleep(60)"
    session = shown("run", "-t", "1", script, code=124)
    assert b"\x1b" not in session.shown.replace(b"\r\x1b[K", b"") and "\u202e" not in session.shown.decode()
    assert b"timed out: stopped after 1 s; the last line it printed was: \"" in session.shown


@pytest.mark.as_user
def test_interrupt_leaves_nothing(terminal, folder, installation, marker):
    before = Whereabouts(folder, installation.shared_cache).snapshot()
    session = terminal("run", sleeping_with_child(marker))
    wait_until_running(marker)
    session.type(b"\x03")
    assert session.finish() == 130
    assert_gone(marker)
    Whereabouts(folder, installation.shared_cache).assert_nothing_added(before)


@pytest.mark.native_only
def test_colours(shown):
    assert b"\x1b[32mVALID\x1b[0m" in shown("validate", "print(1)").shown
    assert b"\x1b[31mINVALID" in shown("validate", "print(", code=1).shown
    assert b"\x1b[1mPython version:\x1b[0m" in shown("check").shown
    assert b"\x1b[" in shown("run", "--help").shown


@pytest.mark.native_only
def test_no_colours_where_they_are_not_wanted(shown):
    assert b"\x1b" not in shown("validate", "print(1)", env={"NO_COLOR": "1"}).shown
    assert b"\x1b" not in shown("--help", env={"TERM": "dumb"}).shown


@pytest.mark.native_only
@pytest.mark.parametrize("command", [[], ["run"]])
def test_help_fits_the_screen(shown, command):
    session = shown(*command, "--help", env={"NO_COLOR": "1"})
    assert session.screen[0].startswith("Usage: python-sandbox")
    assert max(map(len, session.screen)) <= 100


@pytest.mark.native_only
def test_warm_shows_a_bar(terminal, tmp_path):
    # Without an index it fails at the first package.
    session = terminal("warm", env={"UV_DEFAULT_INDEX": "http://127.0.0.1:9/simple"}, cache=tmp_path / "cache")
    assert session.finish() == 1
    assert b"[..............................] 1/" in session.shown


@pytest.mark.native_only
def test_clean(shown, tmp_path):
    (tmp_path / "mine/environments/x").mkdir(parents=True)
    (tmp_path / "mine/environments/x/file").write_bytes(b"x" * 2048)
    session = shown("clean", cache=tmp_path / "mine")
    assert session.screen[0].split() == ["environments", "2.0", "KiB"]
    assert not (tmp_path / "mine").exists()


@pytest.mark.native_only
def test_mcp_config(shown):
    session = shown("mcp-config", "cursor")
    assert session.screen[-2].endswith("/.cursor/mcp.json, or use --write.")


@pytest.mark.native_only
def test_completion(shown):
    assert "complete -c python-sandbox -e" in shown("completion", "fish").screen


@pytest.mark.native_only
def test_a_script_with_its_own_first_line(installation, backend, tmp_path):
    script = tmp_path / "tool.py"
    plain = dataclasses.replace(installation, java_options=())  # the kernel reads 256 bytes of the first line
    command = " ".join(plain.command(*installation.options(backend), "run", "-f"))
    script.write_text(f"#!/usr/bin/env -S {command}\nprint('from the script')\n")
    script.chmod(0o755)
    ended = subprocess.run([str(script)], env=clean_environment(), capture_output=True, timeout=60)
    assert ended.stdout == b"from the script\n", ended.stderr
