"""validate_script: the verdict, the dependencies, the warnings; never a run."""

import pytest

from harness.scripts import with_metadata

pytestmark = pytest.mark.any_backend


def validate(server, script, **arguments):
    return server.call("validate_script", {"script": script, **arguments}).text


def test_valid_without_dependencies(server):
    lines = validate(server, "print(1)").splitlines()
    assert lines[0] == "VALID"
    assert "dependencies: none" in lines
    assert any(line.startswith("requires-python: ") for line in lines)


@pytest.mark.on_docker
def test_valid_with_dependencies_of_both_kinds(server):
    script = with_metadata('requires-python = ">=3.9"\ndependencies = ["six==1.17.0"]', "import six, rich")
    lines = validate(server, script, dependencies=["rich==14.2.0"]).splitlines()
    assert lines[0] == "VALID"
    at = lines.index("dependencies (2):")
    assert lines[at + 1 : at + 3] == ["  - six==1.17.0", "  - rich==14.2.0"]
    assert "requires-python: >=3.9" in lines


def test_lines_come_in_order(server):
    text = validate(server, with_metadata('dependencies = ["six"]', "import numpy"))
    positions = [text.index(word) for word in ("VALID", "requires-python: ", "dependencies (1):", "warnings:")]
    assert positions == sorted(positions)


def test_lines_for_notebooks_are_recognized(server):
    first = validate(server, "!pip install six\nimport six").splitlines()[0]
    assert first.startswith("INVALID: line 1, column 1: ")
    assert first.endswith('leave out the lines that start with "!" and call again with dependencies=["six"]')


def test_syntax_error_has_line_and_column(server):
    first = validate(server, "x = 1\ndef broken(:\n    pass\n").splitlines()[0]
    assert first.startswith("INVALID: ") and "line 2" in first and "column" in first


@pytest.mark.on_docker
def test_syntax_is_checked_by_the_very_interpreter(server):
    assert validate(server, "type X = int\nmatch 1:\n    case _: pass").splitlines()[0] == "VALID"
    assert validate(server, "print 'python 2'").startswith("INVALID: ")


def test_two_blocks(server):
    block = with_metadata("dependencies = []", "")
    assert validate(server, block + "\n" + block).startswith("INVALID: ")


def test_bad_requirement_is_named(server):
    first = validate(server, "print(1)", dependencies=["???bad"]).splitlines()[0]
    assert first.startswith("INVALID: ") and "???bad" in first


def test_requires_python_unmet_names_both(server, installation):
    first = validate(server, with_metadata('requires-python = "<3"', "print(1)")).splitlines()[0]
    assert first.startswith("INVALID: ") and "<3" in first and installation.python_version in first


def test_undeclared_import_is_a_warning(server):
    text = validate(server, "import json\nimport numpy\n")
    assert text.startswith("VALID")
    assert "numpy" in text[text.index("warnings:") :] and "json" not in text[text.index("warnings:") :]


def test_declared_import_is_no_warning(server):
    text = validate(server, "import yaml, six", dependencies=["PyYAML==6.0.2", "six"])
    assert "yaml" not in text.partition("warnings:")[2].lower()


def test_never_runs_the_script(server, tmp_path):
    trace = tmp_path / "trace"
    tmp_path.chmod(0o777)
    validate(server, f"open({str(trace)!r}, 'w')\nimport os; os._exit(1)")
    assert not trace.exists()


def test_deeply_nested_script_gets_a_result(server):
    assert "VALID" in validate(server, "(" * 5000 + ")" * 5000)
    server.assert_alive()
