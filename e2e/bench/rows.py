"""The rows of the table: each returns a function per contestant that measures once."""

import itertools
import time
from concurrent.futures import ThreadPoolExecutor

import psutil

from bench.contestants import HELLO, Places, Servers, call, hello_jvm, image_of, timed
from bench.load import Load
from bench.new_sets import SMALL, NewSets

SIX = "import six\nprint(six.__version__)\n"
PANDAS = "import pandas as pd\nprint(pd.DataFrame({'a': range(10)}).describe())\n"
PANDAS_SET = ["pandas==2.2.3"]
# The same script on one line and on two: what it imports first is imported before it starts.
ONE_LINE = PANDAS.replace("\n", "; ", 1)
MODELS = """from sklearn.linear_model import LinearRegression
import statsmodels.api as sm
print(LinearRegression().fit([[0], [1]], [0, 2]).coef_, sm.OLS([0, 2], [[1], [2]]).fit().params)
"""
MODELS_SET = ["scikit-learn==1.9.1", "statsmodels==0.15.0"]
PLOT = """import matplotlib
matplotlib.use("Agg")
import numpy as np
import matplotlib.pyplot as plt
x = np.linspace(0, 10, 200)
plt.plot(x, np.sin(x))
plt.savefig("sine.png")
"""
PLOT_SET = ["matplotlib==3.10.7", "numpy==2.3.4"]
# The server keeps as many warm sandboxes as ran at once for a minute, then returns their memory.
AFTER_BURST_SECONDS = 75
LATER_SECONDS = 3
CLIENTS = 64
# Rows after which the server still works.
LONG_PAUSE_ROWS = (
    "pandas", "one_line", "models", "plot", "parallel", "new_large_set", "next_calls", "loop", "pandas_loop", "burst",
    "many_clients",
)  # fmt: skip
ONLY_HELLO = ("none, no pool", "native, flags", "native, flags, no pool")
OUTPUT = "import sys\nchunk = 'x' * 1023 + '\\n'\nfor _ in range(1 << 20):\n    sys.stdout.write(chunk)\n"


class Rows:
    def __init__(self, places: Places, servers: Servers):
        self.places, self.servers = places, servers
        self.sets = NewSets(places, servers)
        self.load = Load(places, servers)

    def _calls(self, script: str, dependencies: list[str]) -> dict:
        return {
            name: lambda server=server: call(server, script, dependencies)
            for name, server in self._ours_and_previous().items()
        }

    def _ours_and_previous(self) -> dict:
        """Without the servers that are measured in one row only."""
        return {
            name: server
            for name, server in self.servers.open.items()
            if not name.startswith("docker") and name not in ONLY_HELLO
        }

    def _bare(self, name: str, body: str, dependencies: list[str]) -> dict:
        script = self.places.script(name, body, dependencies)
        env, work = self.places.environment(), self.places.work
        python = str(self.places.environment_python(self.servers.open["none"], dependencies))
        uv = [str(self.places.uv), "run", "--quiet", "--script", str(script)]
        timed(uv, env, work)  # makes its environment
        return {
            "uv run": lambda: timed(uv, env, work),
            "python": lambda: timed([python, str(script)], env, work),
        }

    def start(self) -> dict:
        jvm, env = hello_jvm(self.places), self.places.environment()
        found = {"this": lambda: self._spawn(self.servers.ours, first=False),
                 "hello JVM": lambda: timed(jvm, env, self.places.work)}  # fmt: skip
        if self.servers.previous_command:
            found["previous"] = lambda: self._spawn(self.servers.previous, first=False)
        return found

    def first(self) -> dict:
        found = {"native": lambda: self._spawn(self.servers.ours, first=True),
                 "launcher": lambda: self._spawn(self.servers.launched, first=True),
                 "none": lambda: self._spawn(lambda: self.servers.ours(backend="none"), first=True)}  # fmt: skip
        if self.servers.previous_command:
            found["previous"] = lambda: self._spawn(self.servers.previous, first=True)
        return found

    def first_later(self) -> dict:
        """The first call of an agent, three seconds after the start."""
        found = {"native": lambda: self._spawn(self.servers.ours, first=True, pause=LATER_SECONDS)}
        if self.servers.previous_command:
            found["previous"] = lambda: self._spawn(self.servers.previous, first=True, pause=LATER_SECONDS)
        return found

    def run(self) -> dict:
        """One script on the command line."""
        code = "print(1)"
        env, work = self.places.environment(), self.places.work
        installation = self.places.installation
        arguments = [*installation.options("native"), "run", code]
        uv = [str(self.places.uv), "run", "--no-project", "--quiet", "python", "-c", code]
        return {
            "launcher": lambda: timed([str(installation.launcher()), *arguments], env, work),
            "java -jar": lambda: timed(installation.command(*arguments), env, work),
            "uv run": lambda: timed(uv, env, work),
            "python": lambda: timed([str(self.places.python), "-c", code], env, work),
        }

    def _spawn(self, start, first: bool, pause: float = 0) -> float:
        started = time.perf_counter()
        server = start()
        try:
            server.initialize("2025-06-18")
            server.request("tools/list", {})
            if pause:
                time.sleep(pause)
                started = time.perf_counter()
            if first:
                call(server, HELLO, [])
            return time.perf_counter() - started
        finally:
            server.close_input()
            server.process.wait(20)

    def hello(self) -> dict:
        return self._calls(HELLO, []) | self._bare("hello", HELLO, []) | {
            name: lambda server=self.servers.open[name]: call(server, HELLO, []) for name in ONLY_HELLO
        }  # fmt: skip

    def http(self) -> dict:
        """hello by HTTP on a connection that is kept, and by stdio."""
        return self._both(lambda each: each())

    def many_clients(self) -> dict:
        """As many at once as teams have agents, each with a connection of its own."""

        def at_once(each) -> None:
            with ThreadPoolExecutor(CLIENTS) as callers:
                list(callers.map(lambda _: each(), range(2 * CLIENTS)))

        return self._both(at_once)

    def _both(self, load) -> dict:
        native, http = self.servers.open["native"], self.servers.http()

        def by_http() -> None:
            result = http.call_on_kept_connection("execute_python", {"script": HELLO})
            assert "exit_code: 0" in result.text, result.text[-2000:]

        def measured(each) -> float:
            started = time.perf_counter()
            load(each)
            return time.perf_counter() - started

        return {
            "native": lambda: measured(lambda: call(native, HELLO, [])),
            "native, HTTP": lambda: measured(by_http),
        }

    def container(self) -> dict:
        """The same in containers, compared with `docker run`; empty without an engine."""
        ours = {name: server for name, server in self.servers.open.items() if name.startswith("docker")}
        if not ours:
            return {}
        command = ["docker", "run", "--rm", image_of(ours["docker"]), "python3", "-c", HELLO]
        env, work = self.places.environment(), self.places.work
        return {name: lambda server=server: call(server, HELLO, []) for name, server in ours.items()} | {
            "docker run": lambda: timed(command, env, work)
        }

    def six(self) -> dict:
        return self._calls(SIX, ["six==1.17.0"]) | self._bare("six", SIX, ["six==1.17.0"])

    def pandas(self) -> dict:
        return self._calls(PANDAS, PANDAS_SET) | self._bare("pandas-script", PANDAS, PANDAS_SET)

    def one_line(self) -> dict:
        server = self.servers.open["native"]
        return {
            "native": lambda: call(server, ONE_LINE, PANDAS_SET),
            "native, two lines": lambda: call(server, PANDAS, PANDAS_SET),
        }

    def models(self) -> dict:
        ours = self._calls(MODELS, MODELS_SET)
        ours.pop("previous", None)  # it makes an environment for every call
        return ours | self._bare("models", MODELS, MODELS_SET)

    def plot(self) -> dict:
        return self._calls(PLOT, PLOT_SET) | self._bare("plot", PLOT, PLOT_SET)

    def new_set(self) -> dict:
        return self.sets.small_sets([name for name in self._ours_and_previous() if not name.endswith("no pool")])

    def new_large_set(self) -> dict:
        return self.sets.large_sets()

    def next_calls(self) -> dict:
        return self.sets.next_calls()

    def downloads(self) -> dict:
        return self.sets.downloads()

    def parallel(self) -> dict:
        def at_once(server) -> float:
            started = time.perf_counter()
            with ThreadPoolExecutor(16) as callers:
                list(callers.map(lambda _: call(server, HELLO, []), range(16)))
            return time.perf_counter() - started

        return {
            name: lambda server=server: at_once(server)
            for name, server in self._ours_and_previous().items()
        }

    def cpu(self) -> dict:
        return self.load.cpu()

    def loop(self) -> dict:
        return self.load.loop(HELLO, [])

    def pandas_loop(self) -> dict:
        return self.load.loop(PANDAS, PANDAS_SET)

    def burst(self) -> dict:
        return self.load.burst(PANDAS, PANDAS_SET)

    def busy(self) -> dict:
        return self.load.busy()

    def output(self) -> tuple[dict, dict]:
        """A gigabyte of output: the time, and by how much the server's memory grew."""
        server = self.servers.open["native, no pool"]
        script = self.places.script("output", OUTPUT, [])
        process = psutil.Process(server.process.pid)
        before = peak = process.memory_info().rss
        with ThreadPoolExecutor(1) as caller:
            pending = caller.submit(call, server, OUTPUT, [])
            while not pending.done():
                peak = max(peak, process.memory_info().rss)
                time.sleep(0.02)
        python = timed([str(self.places.python), str(script)], self.places.environment(), self.places.work)
        return {"native, no pool": [pending.result()], "python": [python]}, {"grown": (peak - before) / (1 << 20)}

    def memory(self, calls: int) -> dict:
        """Resident megabytes, and CPU usage while idle."""
        server = self.servers.ours("--require-sandbox", flags=True)
        try:
            server.initialize()
            server.request("tools/list", {})
            process = psutil.Process(server.process.pid)
            time.sleep(5)
            found = {"started": process.memory_info().rss}
            for _ in range(calls):
                call(server, HELLO, [])
            found[f"after {calls} calls"] = process.memory_info().rss
            with ThreadPoolExecutor(16) as callers:
                pending = [callers.submit(call, server, HELLO, []) for _ in range(64)]
                peak = 0
                while not all(each.done() for each in pending):
                    peak = max(peak, process.memory_info().rss)
                    time.sleep(0.02)
            found["under load"] = peak
            time.sleep(AFTER_BURST_SECONDS)
            found["idle again"] = process.memory_info().rss
            used, started = sum(process.cpu_times()[:2]), time.monotonic()
            time.sleep(10)
            cpu = (sum(process.cpu_times()[:2]) - used) / (time.monotonic() - started)
            return {name: size / (1 << 20) for name, size in found.items()} | {"idle CPU %": cpu * 100}
        finally:
            server.close_input()
            server.process.wait(20)

    def many_sets(self, calls: int = 1000, sets: int = 50) -> dict:
        server = self.servers.ours("--require-sandbox")
        try:
            server.initialize()
            wanted = [list(each) for each in itertools.islice(itertools.combinations(SMALL, 3), sets)]
            for each in wanted:
                call(server, HELLO, each)
            time.sleep(5)  # until as many sandboxes wait as may
            process, places = psutil.Process(server.process.pid), server.whereabouts
            before = (process.num_fds(), places.process_count(), len(places.snapshot().cached))
            times = [call(server, HELLO, wanted[number % sets]) for number in range(calls)]
            time.sleep(5)
            after = (process.num_fds(), places.process_count(), len(places.snapshot().cached))
            return {"first 100 ms": median_ms(times[:100]), "last 100 ms": median_ms(times[-100:]),
                    "descriptors, processes, files before": before, "after": after}  # fmt: skip
        finally:
            server.close_input()
            server.process.wait(20)


def median_ms(times: list[float]) -> float:
    return sorted(times)[len(times) // 2] * 1000
