"""The Python mcp client library, in both eras."""

import asyncio

import pytest
from mcp import Client, StdioServerParameters

from harness.server import clean_environment

pytestmark = pytest.mark.any_backend

SECONDS = 120


@pytest.fixture(params=["legacy", "auto"])
def session(request, installation, backend):
    """Runs a coroutine function with a connected client."""
    command, *arguments = installation.command(*installation.options(backend), "--no-warm-cache")
    parameters = StdioServerParameters(command=command, args=arguments, env=clean_environment(), cwd=installation.work)

    def run(steps):
        async def connected():
            async with Client(parameters, mode=request.param) as client:
                return await asyncio.wait_for(steps(client), SECONDS)

        return asyncio.run(connected())

    return run


def test_lists_the_tools(session):
    tools = session(lambda client: client.list_tools()).tools
    assert sorted(tool.name for tool in tools) == ["check_environment", "execute_python", "validate_script"]


def test_calls_and_gets_a_structured_result(session):
    result = session(lambda client: client.call_tool("execute_python", {"script": "print(6 * 7)"}))
    assert not result.is_error
    assert result.structured_content["stdout"] == "42\n"
    assert result.content[0].type == "text" and "42" in result.content[0].text


def test_hears_of_progress(session):
    heard = []

    async def on_progress(progress, total, message):
        heard.append((progress, message))

    async def steps(client):
        arguments = {"script": "print(1)", "dependencies": ["six==1.17.0"]}
        return await client.call_tool("execute_python", arguments, progress_callback=on_progress)

    assert not session(steps).is_error
    assert heard


def test_scripts_error_is_a_result(session):
    result = session(lambda client: client.call_tool("execute_python", {"script": "1/0"}))
    assert not result.is_error and result.structured_content["exit_code"] == 1


def test_bad_metadata_is_an_error(session):
    script = "# /// script\n# dependencies = 5\n# ///\n"
    assert session(lambda client: client.call_tool("execute_python", {"script": script})).is_error
