"""What is measured: this server with several options, bare programs, and its predecessor."""

import os
import re
import shutil
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

from harness.engine import docker_works
from harness.http_server import HttpServer, http_server
from harness.installation import Installation
from harness.server import Server, clean_environment

PREVIOUS = "mcp-python-exec-sandbox"
HELLO = "print('hello')\n"


class Places:
    """The programs and folders that the contestants use."""

    def __init__(self, installation: Installation):
        self.installation = installation
        self.work = installation.work
        self.work.mkdir(parents=True, exist_ok=True)
        self.uv = self.python = Path()
        self.client_flags = installation.client_flags()

    def find(self, native: Server, none: Server) -> None:
        """Finds the uv and the interpreter that this server uses, so that all use the same."""
        native.run("import six", dependencies=["six==1.17.0"], timeout=300).expect("ok")
        result = none.run("import sys, six; print(sys._base_executable)", dependencies=["six==1.17.0"], timeout=300)
        self.python = Path(result.expect("ok").stdout.strip())
        self.uv = self.installation.fetched_uv()

    def environment(self, **changes) -> dict[str, str]:
        return clean_environment(UV_CACHE_DIR=str(self.work / "uv-cache"), UV_PYTHON=str(self.python), **changes)

    def script(self, name: str, body: str, dependencies: list[str]) -> Path:
        block = "# /// script\n# dependencies = " + str(dependencies).replace("'", '"') + "\n# ///\n"
        path = self.work / f"script_{name}.py"  # not the name of a package
        path.write_text((block if dependencies else "") + body)
        return path

    def environment_python(self, server: Server, dependencies: list[str]) -> Path:
        """The interpreter of the environment that a server without a sandbox made."""
        result = server.run("import sys; print(sys.executable)", dependencies=dependencies, timeout=300)
        return Path(result.expect("ok").stdout.strip())


def timed(command: list[str], env: dict[str, str], cwd: Path) -> float:
    started = time.perf_counter()
    done = subprocess.run(command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True)
    taken = time.perf_counter() - started
    assert done.returncode == 0, f"{command}: {done.stderr.decode()[-2000:]}"
    return taken


def call(server: Server, script: str, dependencies: list[str]) -> float:
    arguments = {"script": script, "dependencies": dependencies, "timeout_seconds": 120}
    started = time.perf_counter()
    result = server.call("execute_python", arguments, timeout=400)
    taken = time.perf_counter() - started
    assert "exit_code: 0" in result.text, result.text[-2000:]
    return taken


def hello_jvm(places: Places) -> list[str]:
    source = places.work / "Hello.java"
    source.write_text('class Hello { public static void main(String[] a) { System.out.println("hello"); } }\n')
    subprocess.run(["javac", "-d", str(places.work), str(source)], check=True)
    return ["java", "-cp", str(places.work), "Hello"]


def install_previous(places: Places) -> list[str] | None:
    """The predecessor's command, or None if it cannot be installed: it needs Python 3.13."""
    venv = places.work / "previous"
    program = venv / "bin" / PREVIOUS
    if not program.exists():
        shutil.rmtree(venv, ignore_errors=True)
        env = clean_environment()
        for command in (
            [str(places.uv), "venv", "--quiet", "--python", str(places.python), str(venv)],
            [str(places.uv), "pip", "install", "--quiet", "--python", str(venv / "bin/python"), PREVIOUS],
        ):
            done = subprocess.run(command, env=env, capture_output=True, text=True)
            if done.returncode != 0:
                print(f"no {PREVIOUS}: {done.stderr.strip()[-300:]}")
                return None
    # Its sandbox does not find uv outside of the system's folders; without a sandbox it is fastest.
    return [str(program), "--sandbox-backend", "none", "--no-warm-cache"]


class Servers:
    """Servers that stay up for the whole benchmark."""

    def __init__(self, places: Places, with_previous: bool):
        self.places, self.open = places, {}
        self._stack, self._http = ExitStack(), None
        for name, options, backend in (
            ("none", [], "none"),
            ("none, no pool", ["--warm-pool=0"], "none"),
            ("native", ["--require-sandbox"], "native"),
            ("native, no pool", ["--require-sandbox", "--warm-pool=0"], "native"),
            ("native, flags", ["--require-sandbox"], "native"),  # as the product's client entries start it
            ("native, flags, no pool", ["--require-sandbox", "--warm-pool=0"], "native"),
        ):
            self.open[name] = self.ours(*options, backend=backend, flags="flags" in name)
            self.open[name].initialize()
        if docker_works():
            for name, options in (("docker", []), ("docker, no pool", ["--warm-pool=0"])):
                self.open[name] = self.ours("--require-sandbox", *options, backend="docker")
                self.open[name].initialize()
        places.find(self.open["native"], self.open["none"])
        self.previous_command = install_previous(places) if with_previous else None
        if self.previous_command:
            self.open["previous"] = self.previous()
            self.open["previous"].initialize("2025-06-18")

    def ours(
        self, *options: str, backend: str = "native", flags: bool = False, cache: Path | None = None
    ) -> Server:
        # Without isolation scripts run as another user if the server is root, so the cache differs.
        cache = self.places.work / "cache-none" if backend == "none" else cache
        return self.places.installation.start(
            *options, backend=backend, cache=cache, java_options=self.places.client_flags if flags else []
        )

    def launched(self) -> Server:
        """This server, started by the launcher that `install` writes."""
        installation = self.places.installation
        command = [str(installation.launcher()), *installation.options("native"), "--no-warm-cache"]
        return Server(command, clean_environment(), self.places.work)

    def http(self) -> HttpServer:
        """A server on HTTP; started when it is first measured, so that it does not disturb other rows."""
        if self._http is None:
            self._http = self._stack.enter_context(
                http_server(self.places.installation, "native", "--require-sandbox")
            )
        return self._http

    def previous(self) -> Server:
        # It finds uv and Python by PATH, and removes SSL_CERT_FILE; this wrapper sets it for uv.
        wrapper = self.places.work / "previous-uv" / "uv"
        wrapper.parent.mkdir(exist_ok=True)
        certificates = os.environ.get("SSL_CERT_FILE", "")
        wrapper.write_text(f"#!/bin/sh\nSSL_CERT_FILE={certificates} exec {self.places.uv} \"$@\"\n")
        wrapper.chmod(0o755)
        path = f"{wrapper.parent}:{self.places.python.parent}:{os.environ['PATH']}"
        return Server(self.previous_command, self.places.environment(PATH=path), self.places.work)

    def close(self) -> None:
        self._stack.close()
        for server in self.open.values():
            server.close_input()
        for server in self.open.values():
            try:
                server.process.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()


def image_of(server: Server) -> str:
    """The image of a server's containers."""
    text = server.call("check_environment", timeout=1500).text
    return re.search(r"Sandbox status: active \(docker .*image ([^ ,)]+)", text)[1]
