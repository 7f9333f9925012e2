"""Claude Code: added as the README says, then a stub model makes the calls of the transcripts."""

import pytest

from clients.stub_model import OUR_TOOLS, StubModel
from clients.exchanges import CALLS, EXCHANGES, NAMES

pytestmark = pytest.mark.native_only
TOOLS = "mcp__python-sandbox__execute_python,mcp__python-sandbox__validate_script,mcp__python-sandbox__check_environment"


@pytest.fixture(scope="module")
def added(machine) -> str:
    return machine.run("claude", "mcp", "add", "python-sandbox", "--", *machine.server)


@pytest.fixture(scope="module")
def received(machine, added) -> list:
    with StubModel(CALLS) as model:
        machine.run(
            "claude", "-p", "run it", "--allowedTools", TOOLS,
            ANTHROPIC_BASE_URL=model.url, ANTHROPIC_API_KEY="none",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            ENABLE_TOOL_SEARCH="false",  # the stub calls what it is offered and does not look for more
            MCP_CONNECTION_NONBLOCKING="0", MCP_CONNECT_TIMEOUT_MS="60000",  # its first turn waits for the server
        )  # fmt: skip
        assert model.tools == set(OUR_TOOLS)
        return model.received


def test_connects(machine, added):
    assert "Connected" in machine.run("claude", "mcp", "list")


@pytest.mark.parametrize("number", range(len(EXCHANGES)), ids=NAMES)
def test_transcript(received, number):
    EXCHANGES[number].check_preferring_structure(received[number])
