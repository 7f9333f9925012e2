"""initialize in every revision, the stateless revision, and what tools/list says."""

import json

import jsonschema
import pytest

pytestmark = pytest.mark.any_backend

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
TOOLS = ["check_environment", "execute_python", "validate_script"]


def modern_meta(version: str = MODERN) -> dict:
    return {
        f"{META}protocolVersion": version,
        f"{META}clientCapabilities": {},
        f"{META}clientInfo": {"name": "e2e", "version": "1"},
    }


@pytest.mark.parametrize("revision", REVISIONS)
def test_initialize_agrees_to_the_revision_asked_for(start, revision):
    server = start(initialize=False)
    result = server.initialize(revision)
    assert result["protocolVersion"] == revision
    assert "tools" in result["capabilities"]
    assert result["serverInfo"]["name"] and result["serverInfo"]["version"]
    assert sorted(tool["name"] for tool in server.request("tools/list")["tools"]) == TOOLS


def test_unknown_revision_is_answered_with_the_newest_known(start):
    assert start(initialize=False).initialize("2031-01-01")["protocolVersion"] == REVISIONS[-1]


def test_requests_before_initialize_are_answered(start):
    server = start(initialize=False)
    server.request("ping")
    answer = server.answer(server.send("tools/list"), 30)
    assert "result" in answer or answer["error"]["code"] in (-32600, -32602, -32002)


def test_discover_names_versions_capabilities_and_server(start):
    result = start(initialize=False).request("server/discover", {"_meta": modern_meta()})
    assert MODERN in result["supportedVersions"]
    assert "tools" in result["capabilities"]
    assert result["resultType"] == "complete"
    assert isinstance(result["ttlMs"], int) and result["ttlMs"] >= 0
    assert result["cacheScope"] in ("public", "private")
    assert result["_meta"][f"{META}serverInfo"]["name"]


def test_stateless_list_and_call_need_no_handshake(start):
    server = start(initialize=False)
    listed = server.request("tools/list", {"_meta": modern_meta()})
    assert listed["resultType"] == "complete" and listed["cacheScope"] in ("public", "private")
    assert isinstance(listed["ttlMs"], int)
    assert sorted(tool["name"] for tool in listed["tools"]) == TOOLS
    result = server.call("execute_python", {"script": "print(6 * 7)"}, meta=modern_meta())
    assert result.raw["resultType"] == "complete"
    assert result.expect("ok").stdout == "42\n"


def test_unsupported_stateless_version_is_refused_with_the_supported_ones(start):
    server = start(initialize=False)
    refusal = server.refusal("tools/list", {"_meta": modern_meta("2031-01-01")})
    assert refusal["code"] == -32022
    assert MODERN in refusal["data"]["supported"]
    assert refusal["data"]["requested"] == "2031-01-01"


def test_both_eras_in_one_connection(server):
    assert "resultType" not in server.request("tools/list")
    assert server.request("tools/list", {"_meta": modern_meta()})["resultType"] == "complete"


def test_three_tools_with_annotations_and_schemas(server):
    tools = {tool["name"]: tool for tool in server.request("tools/list")["tools"]}
    assert sorted(tools) == TOOLS
    for tool in tools.values():
        assert tool["description"].strip()
        assert isinstance(tool["annotations"]["readOnlyHint"], bool)
        assert isinstance(tool["annotations"]["openWorldHint"], bool)
        jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])
    execute = tools["execute_python"]
    assert execute["inputSchema"]["required"] == ["script"]
    wanted = {"script", "dependencies", "timeout_seconds", "files", "variables"}
    assert set(execute["inputSchema"]["properties"]) == wanted
    jsonschema.Draft202012Validator.check_schema(execute["outputSchema"])
    assert set(tools["validate_script"]["inputSchema"]["properties"]) == {"script", "dependencies"}
    assert not tools["check_environment"]["inputSchema"].get("required")


def test_descriptions_link_the_peps_and_pin_versions(server):
    text = json.dumps(server.request("tools/list"))
    assert "pep-0723" in text and "pep-0508" in text or "inline-script-metadata" in text
    assert "==" in text


def test_tools_cost_an_agent_little(server):
    """1,200 tokens are about 4,800 characters."""
    size = len(json.dumps(server.request("tools/list"), ensure_ascii=False, separators=(",", ":")))
    assert size < 4800, f"{size} characters"
