"""Runs a command in a pseudo-terminal: what it shows, what is typed, how it ends."""

import os
import pty
import select
import signal
import time


class Terminal:
    def __init__(self, command: list[str], env: dict[str, str], cwd):
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # background jobs of a shell ignore it, and Java would too
            os.chdir(cwd)
            os.execvpe(command[0], command, {"TERM": "xterm"} | env)
        self.shown = b""
        self.status = None

    def type(self, keys: bytes) -> None:
        os.write(self.descriptor, keys)

    def wait_for(self, text: bytes, seconds: float = 60) -> None:
        self._read(lambda: text in self.shown, seconds)
        assert text in self.shown, f"{text!r} is not shown: {self.shown!r}"

    def finish(self, seconds: float = 120) -> int:
        """Reads to the end and returns the exit code."""
        self._read(lambda: False, seconds)
        deadline = time.monotonic() + 10
        while self.status is None and time.monotonic() < deadline:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = os.waitstatus_to_exitcode(status) if pid else None
            time.sleep(0.02)
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.descriptor)
        assert self.status is not None, f"it did not end: {self.shown!r}"
        return self.status

    @property
    def screen(self) -> list[str]:
        """The lines that are visible at the end, without overwritten text."""
        text = self.shown.decode("utf-8", "replace").replace("\r\n", "\n")
        return [line.rsplit("\r\x1b[K", 1)[-1] for line in text.split("\n")]

    def _read(self, enough, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not enough() and time.monotonic() < deadline:
            if select.select([self.descriptor], [], [], 0.1)[0]:
                try:
                    data = os.read(self.descriptor, 65536)
                except OSError:  # all writers have ended
                    return
                if not data:
                    return
                self.shown += data
