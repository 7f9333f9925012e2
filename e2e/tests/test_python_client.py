"""The Python mcp client library, with handshake and stateless."""

import asyncio

import pytest
from mcp import Client, StdioServerParameters

from harness.server import clean_environment

pytestmark = pytest.mark.any_backend

SECONDS = 120


@pytest.fixture(scope="module", params=["legacy", "auto"])
def given(request, installation, backend) -> dict:
    """The answers to all requests of these tests, made by one client."""
    command, *arguments = installation.command(*installation.options(backend), "--no-warm-cache")
    parameters = StdioServerParameters(command=command, args=arguments, env=clean_environment(), cwd=installation.work)
    progress = []

    async def on_progress(value, total, message):
        progress.append((value, message))

    async def requests(client) -> dict:
        def execute(script: str, **more):
            return client.call_tool("execute_python", {"script": script, **more.pop("arguments", {})}, **more)

        return {
            "tools": await client.list_tools(),
            "result": await execute("print(6 * 7)"),
            "with progress": await execute(
                "print(1)", arguments={"dependencies": ["six==1.17.0"]}, progress_callback=on_progress
            ),
            "progress": progress,
            "script error": await execute("1/0"),
            "bad metadata": await execute("# /// script\n# dependencies = 5\n# ///\n"),
        }

    async def connected() -> dict:
        async with Client(parameters, mode=request.param) as client:
            return await asyncio.wait_for(requests(client), SECONDS)

    return asyncio.run(connected())


def test_lists_the_tools(given):
    tools = given["tools"].tools
    assert sorted(tool.name for tool in tools) == ["check_environment", "execute_python", "validate_script"]


def test_calls_and_gets_a_structured_result(given):
    result = given["result"]
    assert not result.is_error
    assert result.structured_content["stdout"] == "42\n"
    assert result.content[0].type == "text" and "42" in result.content[0].text


def test_receives_progress(given):
    assert not given["with progress"].is_error
    assert given["progress"]


def test_scripts_error_is_a_result(given):
    result = given["script error"]
    assert not result.is_error and result.structured_content["exit_code"] == 1


def test_bad_metadata_is_an_error(given):
    assert given["bad metadata"].is_error
