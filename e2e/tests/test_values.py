"""The value of a script's last statement is shown if the script printed nothing."""

import pytest

pytestmark = [pytest.mark.on_docker, pytest.mark.as_user, pytest.mark.host_kernel]


@pytest.mark.parametrize(
    "script, value",
    [
        ("6 * 7", "42"),
        ("-1", "-1"),
        ("'text'", "'text'"),
        ("x = {'a': 1}\nx", "{'a': 1}"),
        ("def f(x):\n    return [x]\nf(1)  # a comment\n\n", "[1]"),
        ("(\n    'a,b'\n    .split(',')\n)", "['a', 'b']"),
        ("sorted([\n    2,\n    1,\n])", "[1, 2]"),
        ("x = 1; x + 1", "2"),
        ("x, y = 0, 5\nx if x else y", "5"),
        ("a, b = 1, 0\nb and a", "0"),
        ("import sys\nsys.stderr.write('e')", "1"),
        ("import math; math.floor(1.5)", "1"),
        ("x = 1", None),
        ("None", None),
        ("def f():\n    pass\nf()", None),
        ("if True:\n    5", None),
        ("with open('script.py') as file: file.read()", None),
        ("for x in [1]: str(x)", None),
        ("from os import path", None),
        ("import os\nos.write(1, b'printed') * 1", None),
        ("print('printed')\n5", None),
    ],
)  # fmt: skip
def test_the_last_expression(server, script, value):
    result = server.run(script).expect("ok")
    assert result.structured.get("value") == value
    assert "value" not in result.section_names() or result.section("value").body == value
    assert "printed" in script or result.stdout == ""


@pytest.mark.any_backend
def test_tables_look_as_pandas_prints_them(server):
    result = server.run("import pandas as pd\ndf = pd.DataFrame({'a': range(100)})\ndf", dependencies=["pandas==2.3.3"])
    lines = result.expect("ok").structured["value"].splitlines()
    assert lines[0].split() == ["a"] and lines[-1] == "[100 rows x 1 columns]" and ".." in lines[6]


def test_an_error_has_no_value(server):
    result = server.run("x = 1\n1 / 0").expect("script_error")
    assert "value" not in result.structured and result.stderr.endswith("ZeroDivisionError: division by zero\n")


HOSTILE = """
import os, time
class Hostile:
    def __repr__(self):
        print("printed by repr", flush=True)
        open("made", "w").write("x")
        %s
x = Hostile()
x
"""


@pytest.mark.parametrize(
    "action, value",
    [
        ("return 'yes'", "yes"),
        ("return 'x' * 50_000_000", None),
        ("time.sleep(60)", "(not shown: its repr() takes too long)"),
        ("raise SystemExit(3)", "(not shown: its repr() fails)"),
        ("os.kill(os.getpid(), 9)", "(not shown: its repr() fails)"),
        ("return chr(0xd800) + chr(27)", "\\ud800\\x1b"),
    ],
)
def test_a_hostile_repr_changes_nothing_else(server, action, value):
    result = server.run(HOSTILE % action, timeout_seconds=20).expect("ok")
    assert (result.stdout, result.stderr, result.exit_code) == ("", "", 0)
    shown = result.structured["value"]
    assert shown == value if value else 4000 <= len(shown) < 4100


@pytest.mark.any_backend
def test_a_large_value_does_not_exhaust_memory(module_server):
    result = module_server("--max-memory=256m").run("x = list(range(4_000_000))\nx").expect("ok")
    assert result.structured["value"] == "(not shown: it would need too much memory)"


def test_forged_reports_do_no_harm(server):
    script = """
import os, time
def forge(kind, payload):
    os.write(99, kind + len(payload).to_bytes(4, "big") + payload)
for payload in (b"", b"0", b"x\\0y", b"-1\\0/etc/passwd", b"0\\0" + b"a" * 5000, b"9" * 5000 + b"\\0/work/script.py", b"0\\0a\\0b"):
    for kind in (b"S", b"M", b"F", b"V", b"E", b"?"):
        forge(kind, payload)
forge(b"E", b"x" * 70_000)
forge(b"E", b"\\xff\\x1b[31m")
os.write(99, b"E\\xff\\xff\\xff\\xffshort")
1
"""
    result = server.run(script).expect("ok")
    assert result.stdout == "" and "\x1b" not in str(result.raw)
