"""The exact text and structured result of execute_python."""

import re

import jsonschema
import pytest

from harness.results import FIELDS, SECTION_ORDER, STATUSES

WARNINGS = r"(\n--- warning: .+ ---)*\n?"


def test_hello(server):
    result = server.run("print('hi')").expect("ok")
    assert re.fullmatch(r"--- stdout ---\nhi\n--- exit_code: 0 ---\n--- duration_ms: \d+ ---" + WARNINGS, result.text)


def test_both_streams_and_an_exit_code(server):
    result = server.run("import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.exit(3)").expect("script_error")
    expected = r"--- stdout ---\nout\n--- stderr ---\nerr\n--- exit_code: 3 ---\n--- duration_ms: \d+ ---"
    assert re.match(expected, result.text)
    assert (result.stdout, result.stderr, result.exit_code) == ("out\n", "err\n", 3)


def test_silence_has_no_stream_sections(server):
    result = server.run("pass").expect("ok")
    assert re.fullmatch(r"--- exit_code: 0 ---\n--- duration_ms: \d+ ---" + WARNINGS, result.text)


def test_output_without_a_final_newline_still_ends_before_the_next_heading(server):
    result = server.run("print('a', end='')").expect("ok")
    assert "--- stdout ---\na\n--- exit_code: 0 ---" in result.text
    assert result.stdout == "a"


def test_sections_keep_their_order(server):
    script = "import sys\nprint(1)\nprint(2, file=sys.stderr)\nx = 3\nopen('made.txt', 'w').write('4')\n"
    names = server.run(script, variables=["x"], dependencies=["six==1.17.0"]).expect("ok").section_names()
    assert names == sorted(names, key=SECTION_ORDER.index)
    assert {"stdout", "stderr", "exit_code", "duration_ms", "variables", "files"} <= set(names)


def test_structured_fields(server):
    structured = server.run("print('hi')").structured
    assert set(structured) <= FIELDS
    wanted = {
        "status": "ok", "stdout": "hi\n", "stderr": "", "exit_code": 0, "stdout_bytes": 3,
    }  # fmt: skip
    assert wanted.items() <= structured.items()
    assert isinstance(structured["duration_ms"], int)


def test_structured_has_no_field_that_says_nothing(server):
    structured = server.run("pass").structured
    required = {"status", "stdout", "stderr", "exit_code", "duration_ms"}
    assert required < set(structured)
    assert all(value for name, value in structured.items() if name not in required), structured


def test_structured_says_where_it_ran(server, backend, installation):
    structured = server.run("pass").structured
    assert structured["sandbox"] == backend
    assert structured["python_version"].startswith(installation.python_version)
    assert structured["network"] in ("none", "internet", "host")


def test_structured_says_what_it_used(server):
    structured = server.run("x = bytearray(50_000_000)\nsum(range(3_000_000))").structured
    assert structured["cpu_ms"] > 0
    assert structured["peak_memory_bytes"] > 50_000_000


@pytest.mark.parametrize(
    "arguments",
    [
        {"script": "x = 1\nprint(x)", "variables": ["x"]},
        {"script": "1/0"},
        {"script": "import time; time.sleep(30)", "timeout_seconds": 1},
        {"script": "# /// script\n# dependencies = 5\n# ///\n"},
    ],
    ids=["ok", "script_error", "timed_out", "invalid_script"],
)
def test_every_result_fits_the_output_schema(server, arguments):
    schema = next(t for t in server.request("tools/list")["tools"] if t["name"] == "execute_python")["outputSchema"]
    result = server.call("execute_python", arguments)
    jsonschema.validate(result.structured, schema)
    assert result.status in STATUSES


@pytest.mark.parametrize("tool, arguments", [("validate_script", {"script": "import six"}), ("check_environment", {})])
def test_every_report_fits_the_output_schema(server, tool, arguments):
    schema = next(t for t in server.request("tools/list")["tools"] if t["name"] == tool)["outputSchema"]
    jsonschema.validate(server.call(tool, arguments).structured, schema)


def test_the_script_runs_under_the_chosen_python(server, installation):
    assert server.run("import sys; print('%d.%d' % sys.version_info[:2])").stdout.strip() == installation.python_version
