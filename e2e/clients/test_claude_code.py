"""Claude Code, by stdio and by HTTP: added as the README says, then a stub model makes the calls of the transcripts."""

import pytest

from clients.stub_model import OUR_TOOLS, StubModel
from clients.exchanges import CALLS, EXCHANGES, NAMES

pytestmark = pytest.mark.native_only
TOOLS = "mcp__python-sandbox__execute_python,mcp__python-sandbox__validate_script,mcp__python-sandbox__check_environment"


@pytest.fixture(scope="module")
def added(machine_by) -> str:
    how = ["--transport", "http", "python-sandbox", machine_by.url] if machine_by.url else ["python-sandbox", "--", *machine_by.server]
    return machine_by.run("claude", "mcp", "add", *how)


@pytest.fixture(scope="module")
def received(machine_by, added) -> list:
    with StubModel(CALLS) as model:
        machine_by.run(
            "claude", "-p", "run it", "--allowedTools", TOOLS,
            ANTHROPIC_BASE_URL=model.url, ANTHROPIC_API_KEY="none",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            ENABLE_TOOL_SEARCH="false",  # the stub calls what it is offered and does not look for more
            MCP_CONNECTION_NONBLOCKING="0", MCP_CONNECT_TIMEOUT_MS="60000",  # its first turn waits for the server
        )  # fmt: skip
        assert model.tools == set(OUR_TOOLS)
        return model.received


def test_connects(machine_by, added):
    assert "Connected" in machine_by.run("claude", "mcp", "list")


@pytest.mark.parametrize("number", range(len(EXCHANGES)), ids=NAMES)
def test_transcript(received, number):
    EXCHANGES[number].check_preferring_structure(received[number])
