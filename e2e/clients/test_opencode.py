"""opencode: connects, and its model sees a plot."""

import json

import pytest

from clients.stub_model import OUR_TOOLS, StubModel
from clients.exchanges import EXCHANGES

pytestmark = pytest.mark.native_only
PLOT = next(exchange for exchange in EXCHANGES if exchange.feature == "plot")


def test_a_plot_arrives(machine):
    with StubModel([PLOT.call]) as model:
        settings = {
            "autoupdate": False,
            "share": "disabled",
            "mcp": {"python-sandbox": {"type": "local", "command": machine.server, "enabled": True}},
            "provider": {"anthropic": {"options": {"baseURL": f"{model.url}/v1", "apiKey": "none"}}},
        }
        (machine.project / "opencode.json").write_text(json.dumps(settings))
        machine.run("opencode", "run", "--model", "anthropic/claude-sonnet-4-5", "run it")
        assert model.tools == set(OUR_TOOLS)
        PLOT.check(model.received[0])
