"""The MCP inspector, which checks responses more strictly than agents do."""

import json
import subprocess

import pytest

pytestmark = pytest.mark.native_only
ERAS = pytest.mark.parametrize("era", ["legacy", "modern"])


def inspect(machine, era: str, *arguments: str) -> dict:
    server = [machine.url, "--transport", "http"] if machine.url else machine.server
    command = ("mcp-inspector", "--cli", "--protocol-era", era, *server)
    return json.loads(machine.run(*command, *arguments, errors=subprocess.DEVNULL))


@ERAS
def test_tools_are_portable(machine_by, era):
    tools = inspect(machine_by, era, "--method", "tools/list", "--strict")["tools"]
    assert [tool["name"] for tool in tools] == ["execute_python", "validate_script", "check_environment"]
    assert all(tool["annotations"]["readOnlyHint"] for tool in tools)


@ERAS
def test_a_call_is_answered(machine_by, era):
    call = ("--method", "tools/call", "--tool-name", "execute_python", "--tool-arg", "script=print(6 * 7)")
    result = inspect(machine_by, era, *call)
    assert not result["isError"]
    assert result["structuredContent"]["stdout"] == "42\n"
    assert result["content"][0]["text"].startswith("--- stdout ---\n42\n--- exit_code: 0 ---")
