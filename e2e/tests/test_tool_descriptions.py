"""The examples in the tools' descriptions work."""

import json
import re

import pytest

pytestmark = pytest.mark.any_backend


def examples(server) -> list[tuple[str, dict]]:
    found = []
    for tool in server.request("tools/list")["tools"]:
        for line in tool["description"].splitlines():
            if text := re.fullmatch(r"(?:Example: )?(\{.*\})", line):
                found.append((tool["name"], json.loads(text[1])))
    return found


def test_every_example_works(server):
    found = examples(server)
    assert [name for name, _ in found] == ["execute_python"] * 3 + ["validate_script"]
    for name, arguments in found:
        result = server.call(name, arguments)
        if name == "execute_python":
            assert result.expect("ok").stdout, arguments
            assert result.stderr == "", "uv's chatter is not the script's"
        else:
            assert result.text.startswith("VALID\n") and "warnings" not in result.structured


def test_examples_in_the_schema_work(server):
    tool = next(tool for tool in server.request("tools/list")["tools"] if tool["name"] == "execute_python")
    dependencies = json.loads(re.search(r"e\.g\. (\[.*\])", tool["inputSchema"]["properties"]["dependencies"]["description"])[1])
    result = server.run("import numpy\nprint(numpy.__version__)", dependencies=dependencies).expect("ok")
    assert dependencies == [f"numpy=={result.stdout.strip()}"]
