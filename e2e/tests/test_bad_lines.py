"""Malformed lines: each gets its JSON-RPC error, and the server continues."""

import json
import random

import pytest

pytestmark = pytest.mark.any_backend

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def line(message: object) -> bytes:
    return json.dumps(message).encode() + b"\n"


@pytest.fixture(scope="module")
def line_server(installation, backend):
    with installation.start(backend=backend) as server:
        server.initialize()
        yield server


@pytest.fixture
def own(line_server):
    """A server for these tests only; no test leaves a response for the next."""
    yield line_server
    assert line_server.unclaimed.empty()


@pytest.mark.parametrize(
    "raw, code",
    [
        (b"{oops\n", -32700),
        (b'{"jsonrpc": "2.0", "id": 9\n', -32700),
        (b"nonsense\n", -32700),
        (b'{"jsonrpc":"2.0","id":9,"method":"ping"} trailing\n', -32700),
        (b'{"jsonrpc":"2.0","id":9,"method":"ping","params":{"x":"\xff\xfe"}}\n', -32700),
        (b"\xff\xfe\x00\n", -32700),
        (b'{"jsonrpc":"2.0","id":9,"method":"p\xed\xa0\x80ng"}\n', -32700),
        (line({"jsonrpc": "2.0", "id": None, "method": "ping"}), -32600),
        (line([PING, PING]), -32600),
        (line([]), -32600),
        (line(42), -32600),
        (line("ping"), -32600),
        (line(None), -32600),
        (line({}), -32600),
        (line({"jsonrpc": "2.0", "method": 5}), -32600),
        (b"[" * 100_000 + b"\n", -32700),
    ],
    ids=lambda value: repr(value)[:40] if isinstance(value, bytes) else None,
)
def test_answered_without_an_id(own, raw, code):
    own.send_raw(raw)
    answer = own.next_unclaimed()
    assert answer["id"] is None
    assert answer["error"]["code"] == code
    assert "java" not in answer["error"]["message"].lower()
    own.assert_alive()


@pytest.mark.parametrize("version", ["1.0", None])
def test_wrong_jsonrpc_version_is_an_invalid_request(own, version):
    own.send_raw(line({"jsonrpc": version, "id": "v", "method": "ping"}))
    answer = own.next_unclaimed()
    assert answer["error"]["code"] == -32600 and answer["id"] in ("v", None)


def test_string_ids_come_back_as_strings(own):
    own.send_raw(line(PING | {"id": "abc"}))
    assert own.next_unclaimed() == {"jsonrpc": "2.0", "id": "abc", "result": {}}


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b"   \t \n", b"\n" * 1000])
def test_blank_lines_do_not_matter(own, blank):
    own.send_raw(blank)
    own.assert_alive()
    while not own.unclaimed.empty():
        assert own.unclaimed.get()["error"]["code"] in (-32700, -32600)


def test_carriage_returns_before_the_newline_do_not_matter(own):
    own.send_raw(json.dumps(PING | {"id": "cr"}).encode() + b"\r\n")
    assert own.next_unclaimed()["id"] == "cr"


def test_last_line_without_a_newline_is_read(start):
    own = start()
    own.send_raw(json.dumps(PING | {"id": "last"}).encode())
    own.close()
    assert own.next_unclaimed()["id"] == "last"


def test_oversized_line_is_refused_and_costs_bounded_memory(start):
    own = start()
    before = own.resident_bytes()
    own.send_raw(b'{"jsonrpc":"2.0","id":"big","method":"ping","params":{"pad":"')
    for _ in range(100):
        own.send_raw(b"a" * 1_000_000)
    own.send_raw(b'"}}\n')
    answer = own.next_unclaimed(60)
    assert answer["error"]["code"] in (-32700, -32600)
    own.assert_alive()
    assert own.resident_bytes() - before < 300_000_000


def test_answers_to_nothing_are_ignored(own):
    own.send_raw(line({"jsonrpc": "2.0", "id": 77, "result": {}}))
    own.send_raw(line({"jsonrpc": "2.0", "id": 78, "error": {"code": 1, "message": "x"}}))
    own.assert_alive()


def test_unknown_method_is_named(own):
    refusal = own.refusal("no/such/method")
    assert refusal["code"] == -32601
    assert "no/such/method" in json.dumps(refusal)


def test_unknown_notification_is_ignored(own):
    own.notify("notifications/no-such")
    own.assert_alive()
    assert own.unclaimed.empty()


@pytest.mark.parametrize(
    "params",
    [
        None,
        {},
        {"arguments": {}},
        {"name": "no_such_tool", "arguments": {}},
        {"name": 5},
        {"name": "execute_python", "arguments": "print(1)"},
        [],
    ],
)
def test_bad_call_parameters_are_invalid_params(own, params):
    refusal = own.refusal("tools/call", params)
    assert refusal["code"] == -32602
    assert "Exception" not in json.dumps(refusal) and "java." not in json.dumps(refusal)


@pytest.mark.parametrize(
    "arguments, culprit",
    [
        ({}, "script"),
        ({"script": 5}, "script"),
        ({"script": "", "dependencies": "six"}, "dependencies"),
        ({"script": "", "dependencies": [5]}, "dependencies"),
        ({"script": "", "timeout_seconds": "soon"}, "timeout_seconds"),
        ({"script": "", "files": ["a"]}, "files"),
        ({"script": "", "files": {"a": 5}}, "files"),
        ({"script": "", "variables": "x"}, "variables"),
    ],
)
def test_bad_arguments_name_the_culprit(own, arguments, culprit):
    answer = own.answer(own.start_call("execute_python", arguments), 60)
    if "error" in answer:
        assert answer["error"]["code"] == -32602
    else:
        assert answer["result"]["isError"] is True
    assert culprit in json.dumps(answer)
    assert "Exception" not in json.dumps(answer) and "java." not in json.dumps(answer)


def test_a_megabyte_of_random_bytes_does_not_end_the_server(start):
    server = start(initialize=False)
    server.send_raw(random.Random(20261116).randbytes(1_000_000) + b"\n")
    server.assert_alive()


@pytest.mark.slow
def test_ten_thousand_mutated_lines_do_not_end_the_server(start):
    server = start()
    random_source = random.Random(20261117)
    for _ in range(10_000):
        server.send_raw(mutated(random_source))
    server.request("ping", timeout=120)
    server.assert_alive()


def mutated(source: random.Random) -> bytes:
    message = bytearray(json.dumps(source.choice(SEEDS)).encode())
    for _ in range(source.randint(1, 4)):
        at = source.randrange(len(message))
        match source.randrange(5):
            case 0:
                message[at] = source.randrange(256)
            case 1:
                del message[at : at + source.randint(1, 8)]
            case 2:
                message[at:at] = source.randbytes(source.randint(1, 6))
            case 3:
                message[at:at] = source.choice([b'"', b"{", b"[", b"null", b"\\u0000", b"1e999", b"-", b"\\ud800"])
            case 4:
                message[at:at] = message[: source.randint(1, 30)]
        if not message:
            message += b"{"
    return bytes(message).replace(b"\n", b" ") + b"\n"


SEEDS = [
    PING | {"id": "m1"},
    {"jsonrpc": "2.0", "id": "m2", "method": "tools/list", "params": {}},
    {"jsonrpc": "2.0", "id": "m3", "method": "tools/call", "params": {"name": "nope", "arguments": {"a": [1, {}]}}},
    {"jsonrpc": "2.0", "id": "m4", "method": "tools/call", "params": {"name": "execute_python", "arguments": {"files": 1}}},
    {"jsonrpc": "2.0", "id": "m5", "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}}},
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "m3", "reason": "x"}},
    {"jsonrpc": "2.0", "id": "m6", "method": "server/discover", "params": {"_meta": {}}},
    {"jsonrpc": "2.0", "id": "m7", "method": "logging/setLevel", "params": {"level": "debug"}},
]
