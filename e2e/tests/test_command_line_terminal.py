"""The commands as a person sees them, in a terminal."""

import shutil
import subprocess
import uuid

import pytest

from harness.scripts import sleeping_with_child
from harness.server import clean_environment
from harness.survivors import Whereabouts, assert_gone, wait_until_running
from harness.terminal import Terminal

@pytest.fixture
def folder(installation):
    """Like tmp_path, but short enough for sockets, and where the account that root's sandboxes run as can look."""
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
def test_installing_is_shown_and_wiped(shown, installation, folder):
    uv = f"--uv-path={installation.fetched_uv()}"
    session = shown(uv, "run", "-d", "six", "print('done')", cache=folder / "cache")
    assert b"\r\x1b[K" in session.shown
    assert session.screen == ["done", ""]


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
@pytest.mark.parametrize("command", [[], ["run"], ["validate"], ["check"], ["warm"], ["clean"], ["mcp-config"], ["completion"]])
def test_help_fits_the_screen(shown, command):
    session = shown(*command, "--help", env={"NO_COLOR": "1"})
    assert session.screen[0].startswith("Usage: python-sandbox")
    assert max(map(len, session.screen)) <= 100


@pytest.mark.native_only
def test_warm_shows_a_bar(terminal, tmp_path):
    # An index that has nothing ends it at the first package.
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
    assert session.screen[-2].endswith("/.cursor/mcp.json; --write puts it there.")


@pytest.mark.native_only
def test_completion(shown):
    assert "complete -c python-sandbox -e" in shown("completion", "fish").screen


@pytest.mark.native_only
def test_a_script_with_its_own_first_line(installation, backend, tmp_path):
    script = tmp_path / "tool.py"
    command = " ".join(installation.command(*installation.options(backend), "run", "-f"))
    script.write_text(f"#!/usr/bin/env -S {command}\nprint('from the script')\n")
    script.chmod(0o755)
    ended = subprocess.run([str(script)], env=clean_environment(), capture_output=True, timeout=60)
    assert ended.stdout == b"from the script\n", ended.stderr
