"""A server on HTTP: starts it, sends requests to it over plain connections, and checks how it ends."""

import http.client
import json
import queue
import re
import socket
import time
from contextlib import contextmanager
from dataclasses import dataclass

from harness.results import ToolResult
from harness.server import EXIT_SECONDS, Server

STATELESS = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientInfo": {"name": "e2e", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
START_SECONDS = 60


@dataclass(frozen=True)
class Response:
    status: int
    headers: dict[str, str]
    body: bytes

    def message(self) -> dict:
        """The JSON-RPC response, also if it is the last event of a stream."""
        text = self.body.decode()
        if self.headers.get("content-type") == "text/event-stream":
            text = re.findall(r"^data: (.*)$", text, re.MULTILINE)[-1]
        return json.loads(text)


class HttpServer:
    """Sends requests to a server; each on a connection of its own unless one is given."""

    def __init__(self, process: Server, port: int):
        self.process = process
        self.port = port
        self.url = f"http://127.0.0.1:{port}/mcp"
        self._kept = queue.SimpleQueue()

    def connect(self, timeout: float = 90) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def send(self, method: str, path: str, body: str | None = None, headers: dict | None = None) -> Response:
        connection = self.connect()
        try:
            connection.request(method, path, body, headers or {})
            return self.receive(connection)
        finally:
            connection.close()

    @staticmethod
    def receive(connection: http.client.HTTPConnection) -> Response:
        answer = connection.getresponse()
        return Response(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())

    @staticmethod
    def call_request(tool: str, arguments: dict, **meta) -> tuple[str, str, str, dict]:
        """Method, path, body and headers of a call of the stateless revision."""
        params = {"name": tool, "arguments": arguments, "_meta": META | meta}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": STATELESS,
            "Mcp-Method": "tools/call",
            "Mcp-Name": tool,
        }
        return "POST", "/mcp", body, headers

    def run(self, script: str, **arguments) -> ToolResult:
        """execute_python with the given arguments."""
        response = self.send(*self.call_request("execute_python", {"script": script, **arguments}))
        assert response.status == 200, response
        return ToolResult(response.message()["result"])

    def call_on_kept_connection(self, tool: str, arguments: dict) -> ToolResult:
        """A call on a connection that an earlier call has left open, if one is free."""
        try:
            connection = self._kept.get_nowait()
        except queue.Empty:
            connection = self.connect()
            connection.connect()
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.request(*self.call_request(tool, arguments))
        response = self.receive(connection)
        self._kept.put(connection)
        assert response.status == 200, response
        return ToolResult(response.message()["result"])

    def assert_alive(self) -> None:
        assert self.send("GET", "/healthz").body == b"ok\n"


@contextmanager
def http_server(installation, backend: str, *options: str, java_options=()):
    """A server that is ended by SIGTERM at last, and must then end with exit code 0."""
    process = installation.start("--http=0", *options, backend=backend, java_options=java_options)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not (found := re.search(r"serving MCP at http://[^ ]+:(\d+)/mcp\n", process.stderr)):
            assert process.process.poll() is None and time.monotonic() < deadline, process.stderr
            time.sleep(0.02)
        server = HttpServer(process, int(found.group(1)))
        yield server
        if process.process.poll() is None:
            process.terminate()
        process.expect_exit(0, EXIT_SECONDS)
    finally:
        if process.process.poll() is None:
            process.kill()
