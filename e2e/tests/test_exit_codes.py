"""The exit code is the script's own; a death by signal N is 128+N."""

import pytest

pytestmark = pytest.mark.on_docker


@pytest.mark.parametrize(
    "script, code",
    [
        ("", 0),
        ("import sys; sys.exit()", 0),
        ("import sys; sys.exit(None)", 0),
        ("import sys; sys.exit(0)", 0),
        ("import sys; sys.exit(3)", 3),
        ("import sys; sys.exit(True)", 1),
        ("import sys; sys.exit(-1)", 255),
        ("import sys; sys.exit(256)", 0),
        ("import sys; sys.exit(257)", 1),
        ("raise SystemExit(4)", 4),
        ("exit(5)", 5),
        ("import os; os._exit(7)", 7),
        ("1/0", 1),
        ("def broken(:", 1),
        ("raise KeyboardInterrupt", 130),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", 143),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", 137),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", 139),
        ("import os; os.abort()", 134),
        ("import threading, os; threading.Thread(target=lambda: os._exit(9)).start()", 9),
    ],
)
def test_exit_code(server, script, code):
    result = server.run(script)
    assert result.exit_code == code, result.text
    assert result.expect("ok" if code == 0 else "script_error")
    assert result.section("exit_code").value == str(code)


def test_sys_exit_with_text_prints_it(server):
    result = server.run("import sys; sys.exit('went wrong')").expect("script_error")
    assert (result.exit_code, result.stderr) == (1, "went wrong\n")


def test_atexit_and_buffers_are_honoured(server):
    script = "import atexit, sys\natexit.register(print, 'bye')\nsys.stdout.write('no newline')\nsys.exit(2)"
    result = server.run(script).expect("script_error")
    assert (result.stdout, result.exit_code) == ("no newlinebye\n", 2)


def test_syntax_error_shows_line_and_caret(server):
    result = server.run("x = 1\ndef broken(:\n").expect("script_error")
    assert 'script.py", line 2' in result.stderr and "SyntaxError" in result.stderr
