"""The Python client libraries, by stdio and by HTTP: mcp with handshake and stateless, and fastmcp."""

import asyncio

import fastmcp
import mcp
import pytest
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp.client.sse import sse_client

from clients.exchanges import CALLS, EXCHANGES, NAMES

pytestmark = pytest.mark.native_only


def by_mcp(mode: str):
    async def results(machine) -> list:
        command = machine.server
        parameters = mcp.StdioServerParameters(command=command[0], args=command[1:], cwd=str(machine.project))
        async with mcp.Client(machine.url or parameters, mode=mode) as client:
            return [await client.call_tool(call.tool, call.arguments) for call in CALLS]

    return results


async def by_fastmcp(machine) -> list:
    command = machine.server
    stdio = StdioTransport(command[0], command[1:], cwd=str(machine.project), keep_alive=False)
    async with fastmcp.Client(StreamableHttpTransport(machine.url) if machine.url else stdio) as client:
        return [await client.call_tool(call.tool, call.arguments, raise_on_error=False) for call in CALLS]


CLIENTS = {"mcp, handshake": by_mcp("legacy"), "mcp, stateless": by_mcp("auto"), "fastmcp": by_fastmcp}


@pytest.fixture(scope="module", params=CLIENTS)
def results(request, machine_by) -> list:
    return asyncio.run(asyncio.wait_for(CLIENTS[request.param](machine_by), 150))


def test_the_transport_of_2024_11_05(url):
    async def result():
        async with sse_client(url.replace("/mcp", "/sse")) as streams, mcp.ClientSession(*streams) as session:
            await session.initialize()
            return await session.call_tool("execute_python", {"script": "print(6 * 7)"})

    assert asyncio.run(asyncio.wait_for(result(), 60)).structured_content["stdout"] == "42\n"


@pytest.mark.parametrize("number", range(len(EXCHANGES)), ids=NAMES)
def test_transcript(results, number):
    exchange, result = EXCHANGES[number], results[number]
    exchange.check_text(result.content[0].text)
    exchange.check_images([(item.mime_type, item.data) for item in result.content if item.type == "image"])
    if exchange.structured:
        exchange.check_structured(result.structured_content)
