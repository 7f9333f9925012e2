"""Gemini: added as the README says; listing its servers connects to them."""

import pytest

pytestmark = pytest.mark.native_only


def test_connects(machine):
    machine.run("gemini", "mcp", "add", "python-sandbox", *machine.server)
    listed = machine.run("gemini", "mcp", "list", GEMINI_CLI_TRUST_WORKSPACE="true")
    assert "python-sandbox" in listed and "Connected" in listed
