"""The Python client libraries: mcp with handshake and stateless, and fastmcp."""

import asyncio

import fastmcp
import mcp
import pytest
from fastmcp.client.transports import StdioTransport

from clients.exchanges import CALLS, EXCHANGES, NAMES

pytestmark = pytest.mark.native_only


def by_mcp(mode: str):
    async def results(command: list[str], folder: str) -> list:
        parameters = mcp.StdioServerParameters(command=command[0], args=command[1:], cwd=folder)
        async with mcp.Client(parameters, mode=mode) as client:
            return [await client.call_tool(call.tool, call.arguments) for call in CALLS]

    return results


async def by_fastmcp(command: list[str], folder: str) -> list:
    transport = StdioTransport(command[0], command[1:], cwd=folder, keep_alive=False)
    async with fastmcp.Client(transport) as client:
        return [await client.call_tool(call.tool, call.arguments, raise_on_error=False) for call in CALLS]


CLIENTS = {"mcp, handshake": by_mcp("legacy"), "mcp, stateless": by_mcp("auto"), "fastmcp": by_fastmcp}


@pytest.fixture(scope="module", params=CLIENTS)
def results(request, machine) -> list:
    return asyncio.run(asyncio.wait_for(CLIENTS[request.param](machine.server, str(machine.project)), 150))


@pytest.mark.parametrize("number", range(len(EXCHANGES)), ids=NAMES)
def test_transcript(results, number):
    exchange, result = EXCHANGES[number], results[number]
    exchange.check_text(result.content[0].text)
    exchange.check_images([(item.mime_type, item.data) for item in result.content if item.type == "image"])
    if exchange.structured:
        exchange.check_structured(result.structured_content)
