"""Malformed PEP 723 metadata: one sentence that says where and why, and nothing runs."""

import pytest

from harness.scripts import with_metadata

pytestmark = pytest.mark.any_backend

MALFORMED = {
    "not-toml": ("dependencies = [", "line"),
    "unquoted": ("dependencies = six", "line"),
    "not-a-list": ('dependencies = "six"', "dependencies"),
    "not-strings": ("dependencies = [5]", "dependencies"),
    "bad-requirement": ('dependencies = ["???bad"]', "???bad"),
    "python-not-text": ("requires-python = 3.13", "requires-python"),
    "python-not-a-specifier": ('requires-python = "banana"', "banana"),
    "twice-the-same-key": ("dependencies = []\ndependencies = []", "dependencies"),
}


@pytest.mark.parametrize("tool", ["execute_python", "validate_script"])
@pytest.mark.parametrize("block, word", MALFORMED.values(), ids=MALFORMED)
def test_malformed(server, tool, block, word):
    result = server.call(tool, {"script": with_metadata(block, "print('ran')")})
    assert word in result.text
    assert "--- stdout ---" not in result.text
    if tool == "execute_python":
        result.expect("invalid_script")
    else:
        assert result.text.startswith("INVALID: ")


def test_toml_error_has_its_line_in_the_script(server):
    result = server.run("print(1)\n" + with_metadata("dependencies = [\n  'six',\n  }", "")).expect("invalid_script")
    assert "line 5" in result.text


def test_two_blocks_are_an_error(server):
    block = with_metadata("dependencies = []", "")
    result = server.run(f"{block}\n{block}\nprint('ran')").expect("invalid_script")
    assert "two" in result.text.lower() or "multiple" in result.text.lower()


def test_unclosed_block_is_no_block(server):
    assert server.run('# /// script\n# dependencies = ["no-such-e2e"]\nprint(1)').expect("ok").stdout == "1\n"


def test_other_block_types_are_left_alone(server):
    assert server.run("# /// pyproject\n# [broken\n# ///\nprint(1)").expect("ok").stdout == "1\n"


@pytest.mark.parametrize("specifier", ["<3", ">=3.99", "==3.6.*"])
def test_requires_python_unmet_names_both(server, installation, specifier):
    result = server.run(with_metadata(f'requires-python = "{specifier}"', "print(1)")).expect("invalid_script")
    assert specifier in result.text and installation.python_version in result.text


@pytest.mark.parametrize("specifier", [">=3.8", ">=3.8,<4", "!=3.6.1", "~=3.8"])
def test_requires_python_met(server, specifier):
    assert server.run(with_metadata(f'requires-python = "{specifier}"', "print(1)")).expect("ok").stdout == "1\n"


def test_unknown_keys_and_tool_tables_are_tolerated(server):
    script = with_metadata('dependencies = []\n[tool.e2e]\nx = 1\n[tool.uv]\nexclude-newer = "2026-01-01T00:00:00Z"', "print(1)")
    assert server.run(script).expect("ok").stdout == "1\n"
