"""A server under test: starts it, exchanges JSON-RPC lines with it, and checks how it ends."""

import json
import os
import queue
import signal
import subprocess
import threading
import time
from concurrent.futures import Future
from pathlib import Path

import psutil

from harness.results import ToolResult

# Variables of the host that the product needs to reach an index; no others are passed on.
PASSED_ON = ("SSL_CERT_FILE", "SSL_CERT_DIR", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "JAVA_HOME", "LANG",
             "DOCKER_HOST", "DOCKER_CONTEXT")  # fmt: skip
PASSED_ON_PREFIXES = ("UV_", "PIP_", "PYTHON_SANDBOX_DOCKER_")
EXIT_SECONDS = 15
CALL_SECONDS = 90


def clean_environment(**changes: str | None) -> dict[str, str]:
    """PATH, HOME and what reaches the index; a change to None removes a variable."""
    host = os.environ
    kept = {
        name: value
        for name, value in host.items()
        if name.upper() in PASSED_ON or name.startswith(PASSED_ON_PREFIXES)
    }
    # pyenv's shims make uv print pages of warnings.
    path = ":".join(entry for entry in host["PATH"].split(":") if not entry.endswith("/shims"))
    kept |= {"PATH": path, "HOME": host["HOME"], "USER": host.get("USER", "")}
    kept |= {name: value for name, value in changes.items() if value is not None}
    return {name: value for name, value in kept.items() if changes.get(name, value) is not None}


class ServerError(AssertionError):
    """The server did not behave as required; has its stderr in the message."""


class Server:
    """One server process. Use it as a context manager: leaving it closes stdin and checks the end."""

    def __init__(self, command: list[str], env: dict[str, str], cwd: Path):
        self.process = subprocess.Popen(
            command, env=env, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.notifications: list[dict] = []
        self.unclaimed: queue.Queue[dict] = queue.Queue()
        self.violations: list[str] = []
        self.late_answers: list[dict] = []
        self.late_answers_fail = True
        """False if the test cancels calls that may end at the same moment, and checks late responses itself."""
        self._stderr = bytearray()
        self._pending: dict[object, Future] = {}
        self._abandoned: set[object] = set()
        self._lock = threading.Lock()
        self._last_id = 0
        self._readers = [
            threading.Thread(target=self._read_answers, daemon=True),
            threading.Thread(target=self._read_stderr, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    # -- requests ---------------------------------------------------------------------------------------------

    def initialize(self, version: str = "2025-11-25", timeout: float = 30) -> dict:
        client = {"name": "e2e", "version": "1"}
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
        result = self.request("initialize", params, timeout)
        self.notify("notifications/initialized")
        return result

    def request(self, method: str, params: dict | None = None, timeout: float = 30) -> dict:
        """The result; an error answer fails the test."""
        answer = self.answer(self.send(method, params), timeout)
        assert "error" not in answer, self._with_stderr(f"{method} was refused: {answer['error']}")
        return answer["result"]

    def refusal(self, method: str, params: object = None, timeout: float = 30) -> dict:
        """The error; a result fails the test."""
        answer = self.answer(self.send(method, params), timeout)
        assert "error" in answer, self._with_stderr(f"{method} was not refused: {answer}")
        return answer["error"]

    def send(self, method: str, params: object = None) -> Future:
        """Sends a request; the future has the complete response as its result and the id as an attribute."""
        pending: Future = Future()
        with self._lock:
            self._last_id += 1
            pending.id = self._last_id
            self._pending[pending.id] = pending
        message = {"jsonrpc": "2.0", "id": pending.id, "method": method}
        if params is not None:
            message["params"] = params
        self.send_raw(json.dumps(message).encode() + b"\n")
        return pending

    def notify(self, method: str, params: dict | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method} | ({"params": params} if params is not None else {})
        self.send_raw(json.dumps(message).encode() + b"\n")

    def send_raw(self, data: bytes) -> None:
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError) as error:
            raise ServerError(self._with_stderr(f"the server no longer reads: {error}")) from error

    # -- calling tools ----------------------------------------------------------------------------------------

    def start_call(self, tool: str, arguments: dict, progress_token: object = None, meta: dict | None = None) -> Future:
        params: dict = {"name": tool, "arguments": arguments}
        meta = dict(meta or {}) | ({"progressToken": progress_token} if progress_token is not None else {})
        if meta:
            params["_meta"] = meta
        return self.send("tools/call", params)

    def call(self, tool: str, arguments: dict | None = None, timeout: float = CALL_SECONDS, **more) -> ToolResult:
        return self.tool_result(self.start_call(tool, arguments or {}, **more), timeout)

    def run(self, script: str, timeout: float = CALL_SECONDS, **arguments) -> ToolResult:
        """execute_python with the given arguments."""
        return self.call("execute_python", {"script": script, **arguments}, timeout)

    def tool_result(self, pending: Future, timeout: float = CALL_SECONDS) -> ToolResult:
        answer = self.answer(pending, timeout)
        assert "error" not in answer, self._with_stderr(f"the call was refused: {answer['error']}")
        return ToolResult(answer["result"])

    def cancel(self, pending: Future) -> None:
        with self._lock:
            self._abandoned.add(pending.id)
        self.notify("notifications/cancelled", {"requestId": pending.id, "reason": "test"})

    def answer(self, pending: Future, timeout: float) -> dict:
        try:
            answer = pending.result(timeout)
        except TimeoutError as error:
            raise ServerError(self._with_stderr(f"no answer to request {pending.id} in {timeout} s")) from error
        self.check_stdout()
        return answer

    def next_unclaimed(self, timeout: float = 20) -> dict:
        """The next message that answers none of our requests, such as an error with a null id."""
        try:
            return self.unclaimed.get(timeout=timeout)
        except queue.Empty as error:
            raise ServerError(self._with_stderr("no error came back for that line")) from error

    def assert_alive(self) -> None:
        assert self.process.poll() is None, self._with_stderr("the server has ended")
        self.request("ping")

    # -- watching ---------------------------------------------------------------------------------------------

    @property
    def stderr(self) -> str:
        return self._stderr.decode("utf-8", "replace")

    def resident_bytes(self) -> int:
        return psutil.Process(self.process.pid).memory_info().rss

    def check_stdout(self) -> None:
        assert not self.violations, self._with_stderr(f"not a JSON-RPC line on stdout: {self.violations[:3]}")
        assert not (self.late_answers and self.late_answers_fail), self._with_stderr(f"answered though cancelled: {self.late_answers[:3]}")

    def _read_answers(self) -> None:
        for line in self.process.stdout:
            message = self._parsed(line)
            if message is None:
                continue
            if "method" in message:
                self.notifications.append(message)
                continue
            with self._lock:
                pending = self._pending.pop(message.get("id"), None)
                abandoned = message.get("id") in self._abandoned
            if abandoned:
                self.late_answers.append(message)
            elif pending is not None:
                pending.set_result(message)
            else:
                self.unclaimed.put(message)
        with self._lock:
            orphans = list(self._pending.values())
        for pending in orphans:
            if not pending.done():
                pending.set_exception(ServerError(self._with_stderr("stdout ended before the answer came")))

    def _parsed(self, line: bytes) -> dict | None:
        try:
            message = json.loads(line.decode("utf-8"))
        except ValueError:
            message = None
        if isinstance(message, dict) and message.get("jsonrpc") == "2.0" and line.endswith(b"\n"):
            return message
        self.violations.append(repr(line[:300]))
        return None

    def _read_stderr(self) -> None:
        while chunk := self.process.stderr.read1(65536):
            self._stderr += chunk

    def _with_stderr(self, sentence: str) -> str:
        return f"{sentence}\n--- the server's stderr (last 4000 characters) ---\n{self.stderr[-4000:]}"

    # -- ending -----------------------------------------------------------------------------------------------

    def close_input(self) -> None:
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass

    def close(self, seconds: float = EXIT_SECONDS) -> None:
        """End of input: the server must end by itself, with exit code 0 and a clean stdout."""
        self.close_input()
        self.expect_exit(0, seconds)

    def terminate(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def expect_exit(self, code: int, seconds: float = EXIT_SECONDS) -> None:
        started = time.monotonic()
        try:
            actual = self.process.wait(seconds)
        except subprocess.TimeoutExpired as error:
            self.kill()
            raise ServerError(self._with_stderr(f"still running {seconds} s after it should have ended")) from error
        for reader in self._readers:
            reader.join(max(1.0, seconds - (time.monotonic() - started)))
        assert actual == code, self._with_stderr(f"exit code {actual}, expected {code}")
        self.check_stdout()

    def kill(self) -> None:
        """For a failed test only: kills the server and all its processes."""
        try:
            family = psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            family = []
        self.process.kill()
        for process in family:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                pass
        self.process.wait(EXIT_SECONDS)

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, kind, error, trace) -> None:
        if kind is None:
            self.close()
        elif self.process.poll() is None:
            self.kill()
