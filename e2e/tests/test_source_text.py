"""Source that is unusual: its bytes, its size, its lines."""

import pytest

from harness.scripts import with_metadata


def test_byte_order_mark(server):
    assert server.run("\ufeffprint('bom')").expect("ok").stdout == "bom\n"


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_other_line_ends(server, newline):
    assert server.run(newline.join(["x = 1", "if x:", "    print('ends')", ""])).expect("ok").stdout == "ends\n"


def test_metadata_with_crlf(server):
    script = with_metadata('dependencies = ["six==1.17.0"]', "import six\nprint(six.__version__)\n")
    assert server.run(script.replace("\n", "\r\n")).expect("ok").stdout == "1.17.0\n"


def test_nul_gets_a_clear_error(server):
    result = server.run("print(1)\nx = '\x00'\n")
    assert result.status in ("script_error", "invalid_script")
    assert "null" in (result.text + result.stderr).lower() or "NUL" in result.text


@pytest.mark.parametrize("text", ["\ud800", "x = '\udfff'", "\udc80print(1)"])
def test_lone_surrogate_gets_a_clear_error(server, text):
    result = server.run(text).expect("invalid_script")
    assert "surrogate" in result.text.lower()


def test_printing_a_lone_surrogate_is_the_scripts_own_error(server):
    result = server.run(r"print('\ud800')").expect("script_error")
    assert "UnicodeEncodeError" in result.stderr


def test_non_ascii_source(server):
    assert server.run("größe = '東京'\nprint(größe, len('🐍'))").expect("ok").stdout == "東京 1\n"


def test_declared_encoding_does_not_matter(server):
    assert server.run("# -*- coding: latin-1 -*-\nprint('ü')").expect("ok").stdout in ("ü\n", "Ã¼\n")


def test_empty_script(server):
    assert server.run("").expect("ok").exit_code == 0


def test_ten_megabytes_of_source(server):
    script = "# padding padding padding padding\n" * 300_000 + "print('end')"
    assert len(script) > 10_000_000
    assert server.run(script).expect("ok").stdout == "end\n"


def test_a_line_of_a_megabyte(server):
    assert server.run(f"x = '{'a' * 1_000_000}'\nprint(len(x))").expect("ok").stdout == "1000000\n"


def test_traceback_names_script_py_and_the_users_line(server):
    script = with_metadata('dependencies = ["six==1.17.0"]', "\ndef f():\n    raise ValueError('here')\n\nf()\n")
    result = server.run(script).expect("script_error")
    assert 'script.py", line 6, in f' in result.stderr
    assert 'script.py", line 8, in <module>' in result.stderr
    assert "raise ValueError('here')" in result.stderr
    assert result.stderr.rstrip().endswith("ValueError: here")
    assert "supervisor" not in result.stderr and "runpy" not in result.stderr


def test_runs_as_main_like_python_script_py(server):
    script = (
        "import sys, os\n"
        "print(__name__, os.path.basename(__file__), os.path.basename(sys.argv[0]), len(sys.argv))\n"
        "print(sys.modules['__main__'].__dict__ is globals(), '__annotations__' in globals() or True)\n"
        "print(os.path.dirname(os.path.abspath(__file__)) == sys.path[0])\n"
    )
    assert server.run(script).expect("ok").stdout == "__main__ script.py script.py 1\nTrue True\nTrue\n"


def test_nothing_is_left_in_the_namespace(server):
    script = "print(sorted(n for n in globals() if not n.startswith('__')))"
    assert server.run(script).expect("ok").stdout == "[]\n"


def test_multiprocessing_works(server):
    script = (
        "import multiprocessing as m\n"
        "def square(x): return x * x\n"
        "if __name__ == '__main__':\n"
        "    with m.get_context('spawn').Pool(2) as pool: print(pool.map(square, [1, 2, 3]))\n"
    )
    assert server.run(script, timeout_seconds=60).expect("ok").stdout == "[1, 4, 9]\n"
