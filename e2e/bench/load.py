"""Rows for processor time, sustained load, bursts and a busy machine."""

import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psutil

from bench.contestants import HELLO, Places, Servers, call, timed
from harness.server import Server

CALLS = 10
CLIENTS = (1, 2, 4, 8, 16)
BURSTS = (16, 32)
LOOP_SECONDS = 2.5
SETTLE_SECONDS = 0.3  # the server removes the last sandbox and starts the next
IDLE_SECONDS = 5
SECOND = "import time\nstart = time.process_time()\nwhile time.process_time() - start < 1:\n    pass\n"
LOOPS_PER_PROCESSOR = 2


class Load:
    """Compares servers with bare interpreters that run as many scripts at once."""

    def __init__(self, places: Places, servers: Servers):
        self.places, self.servers = places, servers

    def cpu(self) -> dict:
        """The processor time of a call: of the server, its sandbox and the sandbox that waits for the next call."""
        return {
            name: lambda server=server: processor_time(server)
            for name, server in self.servers.open.items()
            if name.startswith(("native", "none"))
        } | {"python": lambda: processor_time_of_children(self._python("hello", HELLO, []))}

    def loop(self, script: str, dependencies: list[str]) -> dict:
        """The time per call if some clients call again and again without a pause."""
        server = self.servers.open["native"]
        call(server, script, dependencies)
        python = self._python("loop", script, dependencies)
        found = {}
        for clients in CLIENTS:
            found[f"native, {clients}"] = lambda n=clients: time_per_call(
                n, lambda: call(server, script, dependencies)
            )
            found[f"python, {clients}"] = lambda n=clients: time_per_call(n, python)
        return found

    def burst(self, script: str, dependencies: list[str]) -> dict:
        """Calls at once, on a server that had one call and then none for some seconds."""
        call(self.servers.open["native"], script, dependencies)  # stays up and compiles the packages
        python = self._python("burst", script, dependencies)
        found = {}
        for number in BURSTS:
            found[f"native, {number}"] = lambda n=number: self._burst(n, script, dependencies)
            found[f"python, {number}"] = lambda n=number: at_once(n, python)
        return found

    def _burst(self, number: int, script: str, dependencies: list[str]) -> float:
        server = self.servers.ours("--require-sandbox")
        try:
            server.initialize()
            call(server, script, dependencies)
            time.sleep(IDLE_SECONDS)
            return at_once(number, lambda: call(server, script, dependencies))
        finally:
            server.close_input()
            server.process.wait(20)

    def busy(self) -> dict:
        """One second of processor time beside endless loops."""
        python = self._python("second", SECOND, [])
        return {
            "native": lambda: beside_loops(lambda: call(self.servers.open["native"], SECOND, [])),
            "python": lambda: beside_loops(python),
        }

    def _python(self, name: str, body: str, dependencies: list[str]) -> Callable:
        script = self.places.script(f"load-{name}", body, [])
        interpreter = self.places.environment_python(self.servers.open["none"], dependencies)
        command, env, work = [str(interpreter), str(script)], self.places.environment(), self.places.work
        return lambda: timed(command, env, work)


def processor_time(server: Server) -> float:
    """The mean of some calls with pauses. The processes of a sandbox count when the server has waited for them."""
    process = psutil.Process(server.process.pid)
    before = sum(process.cpu_times()[:4])
    for _ in range(CALLS):
        call(server, HELLO, [])
        time.sleep(SETTLE_SECONDS)
    return (sum(process.cpu_times()[:4]) - before) / CALLS


def processor_time_of_children(run: Callable) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(CALLS):
        run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / CALLS


def time_per_call(clients: int, run: Callable) -> float:
    """The time per call of all clients together."""
    started = time.perf_counter()
    end = started + LOOP_SECONDS
    counts = []

    def client() -> None:
        count = 0
        while time.perf_counter() < end:
            run()
            count += 1
        counts.append(count)

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(counts) == clients, "a client failed"
    return (time.perf_counter() - started) / sum(counts)


def at_once(number: int, run: Callable) -> float:
    started = time.perf_counter()
    with ThreadPoolExecutor(number) as callers:
        list(callers.map(lambda _: run(), range(number)))
    return time.perf_counter() - started


def beside_loops(measure: Callable) -> float:
    with endless_loops():
        return measure()


@contextmanager
def endless_loops():
    """Keeps all processors busy, each loop in its own session, as if it were another user's program. The loops end with
    this process, even if it is killed."""
    source = f"import os\nwhile os.getppid() == {os.getpid()}:\n    pass\n"
    number = LOOPS_PER_PROCESSOR * (os.cpu_count() or 1)
    loops = [subprocess.Popen([sys.executable, "-S", "-c", source], start_new_session=True) for _ in range(number)]
    try:
        time.sleep(SETTLE_SECONDS)
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
