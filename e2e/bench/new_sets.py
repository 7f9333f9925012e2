"""Rows for the first calls with a set of packages that was never used before."""

import itertools
import shutil
import time
from pathlib import Path

from bench.contestants import HELLO, Places, Servers, call, timed
from harness.server import Server

LARGE = ["pandas==2.2.3", "matplotlib==3.10.7"]
SMALL = ["six", "idna", "certifi", "attrs", "packaging", "click", "toml", "tomli", "colorama", "zipp"]
SCRIPT = "import pandas as pd\nimport matplotlib.pyplot as plt\nprint(pd.DataFrame({'a': [1]}).sum(), plt.figure())\n"
SECONDS_TO_COMPILE = 240


class NewSets:
    """Makes sets of packages, each used once."""

    def __init__(self, places: Places, servers: Servers):
        self.places, self.servers = places, servers
        self.small = itertools.cycle(map(list, itertools.combinations(SMALL, 4)))
        self.large = (LARGE + list(pair) for pair in itertools.combinations(SMALL, 2))

    def small_sets(self, names: list[str]) -> dict:
        """Small packages that are all in the download cache."""
        for name in names:
            call(self.servers.open[name], HELLO, SMALL)
        return {name: lambda server=self.servers.open[name]: call(server, HELLO, next(self.small)) for name in names}

    def large_sets(self) -> dict:
        """Packages that are all downloaded; with the flags `compiled`, those whose wheels are compiled, too."""
        plain = self.servers.ours("--require-sandbox", cache=self.places.work / "cache-plain")
        plain.initialize()
        self.servers.open["native, wheels not compiled"] = plain
        for server in (self.servers.open["native"], plain):
            call(server, SCRIPT, LARGE + SMALL)
            await_compiling(server)
        self._uv(LARGE + SMALL)
        return {
            "native": lambda: call(self.servers.open["native"], SCRIPT, next(self.large)),
            "native, wheels not compiled": lambda: self._not_compiled(plain),
            "uv run": lambda: self._uv(next(self.large)),
        }

    def next_calls(self) -> dict:
        """The mean of the second and third call with a set, each directly after the one before."""
        server = self.servers.open["native"]

        def ours(wanted: list[str]) -> float:
            call(server, SCRIPT, wanted)
            return (call(server, SCRIPT, wanted) + call(server, SCRIPT, wanted)) / 2

        def uv(wanted: list[str]) -> float:
            self._uv(wanted)
            return (self._uv(wanted) + self._uv(wanted)) / 2

        return {"native": lambda: ours(next(self.large)), "uv run": lambda: uv(next(self.large))}

    def downloads(self) -> dict:
        """Nothing is downloaded but uv and Python."""

        def ours() -> float:
            with Fresh(self.places.work / "cache-new") as cache:
                server = self.servers.ours("--require-sandbox", f"--uv-path={self.places.uv}", cache=cache)
                server.initialize()
                call(server, HELLO, [])
                try:
                    return call(server, SCRIPT, LARGE)
                finally:
                    server.close_input()
                    server.process.wait(20)

        def uv() -> float:
            with Fresh(self.places.work / "uv-cache-new") as cache:
                return self._uv(LARGE, UV_CACHE_DIR=str(cache))

        return {"native": ours, "uv run": uv}

    def _not_compiled(self, server: Server) -> float:
        await_compiling(server)
        cache = server.whereabouts.cache
        for mark in (cache / "known").glob("wheel-*"):
            mark.unlink()
        for bytecode in [*cache.glob("install/*/archive-v0/**/__pycache__")]:
            shutil.rmtree(bytecode)
        return call(server, SCRIPT, next(self.large))

    def _uv(self, wanted: list[str], **variables: str) -> float:
        script = self.places.script("new-set", SCRIPT, [])
        packages = [word for requirement in wanted for word in ("--with", requirement)]
        command = [str(self.places.uv), "run", "--quiet", "--no-project", *packages, str(script)]
        return timed(command, self.places.environment(**variables), self.places.work)


class Fresh:
    """A folder that is empty at the start and deleted at the end."""

    def __init__(self, folder: Path):
        self.folder = folder

    def __enter__(self) -> Path:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        return self.folder

    def __exit__(self, *_) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def await_compiling(server: Server) -> None:
    """Waits until all environments with packages are compiled, which happens after the first response."""
    cache = server.whereabouts.cache
    deadline = time.monotonic() + SECONDS_TO_COMPILE
    while time.monotonic() < deadline:
        infos = cache.glob("environments/*/lib/*/site-packages/*.dist-info/METADATA")
        names = {info.relative_to(cache / "environments").parts[0] for info in infos}
        if all((cache / "known" / f"compiled-{name}").exists() for name in names):
            return
        time.sleep(0.2)
    raise TimeoutError("the packages were not compiled")
