"""Attacks on the HTTP server from this machine: nothing that a client sends ends it, fills its memory or delays others."""

import json
import random
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPException

import pytest

from harness.http_server import http_server

pytestmark = pytest.mark.any_backend
MEMORY = 256 << 20
MOST_RESIDENT = 700 << 20
MOST_CONNECTIONS = 2_048
OPEN_HEADER = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def http(installation, backend, ready):
    with http_server(installation, backend, java_options=["-Xmx256m"]) as server:
        server.run("pass").expect("ok")
        yield server


@pytest.fixture(autouse=True)
def unharmed(http):
    """The server answers while and after it is attacked, and uses bounded memory."""
    yield
    deadline = time.monotonic() + 30
    while not answers(http):  # it notices only after a while that connections are closed
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert http.run("print('unharmed')").expect("ok").stdout == "unharmed\n"
    assert http.process.resident_bytes() < MOST_RESIDENT


def answers(http) -> bool:
    try:
        return http.send("GET", "/healthz").body == b"ok\n"
    except (OSError, HTTPException):
        return False


def connect(http) -> socket.socket:
    return socket.create_connection(("127.0.0.1", http.port), 60)


def answer(connection: socket.socket) -> bytes:
    """What comes until the server closes the connection; a reset is an end, too."""
    received = b""
    try:
        while chunk := connection.recv(65536):
            received += chunk
    except ConnectionError:
        pass
    return received


def request(http) -> bytes:
    _, path, body, headers = http.call_request("validate_script", {"script": "print(1)"})
    lines = [f"{name}: {value}" for name, value in headers.items()]
    head = [f"POST {path} HTTP/1.1", "Host: localhost", *lines, f"Content-Length: {len(body)}"]
    return ("\r\n".join(head) + "\r\n\r\n" + body).encode()


def mutated(original: bytes, chance: random.Random) -> bytes:
    data = bytearray(original)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data))
        kind = chance.randrange(4)
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            del data[at : at + chance.randint(1, 40)]
        elif kind == 2:
            data[at:at] = bytes(chance.choices(b"\r\n\0 :{}[],\"0aA\xff", k=chance.randint(1, 20)))
        else:
            data[at:at] = data[chance.randrange(len(data)) :][: chance.randint(1, 200)]
    return bytes(data)


@pytest.mark.slow
def test_ten_thousand_mutated_requests(http):
    original = request(http)

    def attack(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(1_250):
            with connect(http) as connection:
                try:
                    connection.sendall(mutated(original, chance))
                    connection.shutdown(socket.SHUT_WR)
                except OSError:
                    continue
                received = answer(connection)
                assert b"\tat " not in received and b"java." not in received

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(attack, range(8)))


@pytest.mark.slow
def test_slow_senders_delay_nobody_and_are_ended(http):
    with ExitStack() as stack:
        slow = [stack.enter_context(connect(http)) for _ in range(300)]
        for number, connection in enumerate(slow):
            connection.sendall(OPEN_HEADER[: 1 + number % len(OPEN_HEADER)])
        started = time.monotonic()
        http.run("print(1)").expect("ok")
        assert time.monotonic() - started < 5
        while time.monotonic() - started < 12:
            for connection in slow:
                try:
                    connection.send(b"X")
                except OSError:
                    pass
            time.sleep(1)
        assert {answer(connection) for connection in slow} == {b""}


def is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_a_flood_of_connections_harms_no_running_call(http):
    with ThreadPoolExecutor(1) as pool, ExitStack() as stack:
        running = pool.submit(http.run, "import time\ntime.sleep(4)\nprint('over')")
        time.sleep(0.5)
        flood = []
        for _ in range(2_500):
            try:
                flood.append(stack.enter_context(connect(http)))
            except OSError:
                break
        assert running.result(60).expect("ok").stdout == "over\n"
        assert sum(not is_closed(connection) for connection in flood) <= MOST_CONNECTIONS


def test_a_flood_of_bodies_is_refused(http):
    """Together more than fits into the heap."""
    _, path, _, headers = http.call_request("execute_python", {})
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "x", "params": {"x": "x" * (24 << 20)}})

    def attack(_) -> int:
        connection = http.connect()
        try:
            connection.request("POST", path, body, headers)
            return http.receive(connection).status
        except OSError:
            return 0
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        statuses = set(pool.map(attack, range(16)))
    assert statuses <= {0, 400, 404, 500, 503}, statuses
    assert 503 in statuses


def test_claimed_lengths_reserve_nothing(http):
    with ExitStack() as stack:
        for _ in range(200):
            connection = stack.enter_context(connect(http))
            connection.sendall(OPEN_HEADER + f"Content-Length: {30 << 20}\r\n\r\n".encode() + b"{")
        http.run("print(1)").expect("ok")


@pytest.mark.parametrize("header", [b"X: " + b"y" * (1 << 24), b"".join(b"X%d: y\r\n" % n for n in range(1 << 20))])
def test_an_endless_header_is_ended(http, header):
    with connect(http) as connection:
        try:
            connection.sendall(OPEN_HEADER + header)
        except OSError:
            return
        assert answer(connection)[9:12] in (b"", b"400", b"431")


def test_a_client_that_does_not_read_delays_nobody(http):
    """It asks for 20 MB in many pieces, and reads none."""
    with ExitStack() as stack:
        _, path, body, headers = http.call_request("execute_python", {"script": "print('x' * 90_000)"}, progressToken=1)
        for _ in range(20):
            connection = stack.enter_context(connect(http))
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{lines}Content-Length: {len(body)}\r\n\r\n"
            connection.sendall((head + body).encode() * 10)
        started = time.monotonic()
        http.run("print(1)").expect("ok")
        assert time.monotonic() - started < 20


def test_thousands_of_sessions_are_bounded(http):
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x" * 1_000, "version": "1"}}
    begin = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    before = http.process.resident_bytes()

    def attack(_) -> None:
        connection = http.connect()
        for _ in range(1_000):
            connection.request("POST", "/mcp", begin, headers)
            assert http.receive(connection).status == 200
        connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(attack, range(4)))
    assert http.process.resident_bytes() - before < MEMORY
