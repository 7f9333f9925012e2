"""Codex, by stdio and by HTTP: added as the README says, then a stub model makes the calls of the transcripts."""

import pytest

from clients.stub_model import OUR_TOOLS, StubModel
from clients.exchanges import CALLS, EXCHANGES, NAMES

pytestmark = pytest.mark.native_only


@pytest.fixture(scope="module")
def received(machine_by) -> list:
    how = ["--url", machine_by.url] if machine_by.url else ["--", *machine_by.server]
    machine_by.run("codex", "mcp", "add", "python-sandbox", *how)
    with StubModel(CALLS) as model:
        provider = f'{{name="stub", base_url="{model.url}/v1", wire_api="responses", env_key="STUB_KEY"}}'
        machine_by.run(
            "codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox",
            "-c", "model=stub", "-c", "model_provider=stub", "-c", f"model_providers.stub={provider}",
            "-c", "mcp_servers.python-sandbox.required=true",  # its first turn waits for the server
            "run it",
            STUB_KEY="none",
        )  # fmt: skip
        assert model.tools == set(OUR_TOOLS)
        return model.received


@pytest.mark.parametrize("number", range(len(EXCHANGES)), ids=NAMES)
def test_transcript(received, number):
    EXCHANGES[number].check(received[number])
