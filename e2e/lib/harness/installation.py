"""The paths of the product and its folders, from the variables that e2e/run sets."""

import itertools
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from harness.server import Server, clean_environment
from harness.survivors import Whereabouts

REPOSITORY = Path(__file__).resolve().parents[3]


# Flags of the product's client entries that make the JVM start with a third less CPU time.
QUICK_START = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")


@dataclass(frozen=True)
class Installation:
    """The JAR under test, the Python version that this machine has, and a folder to work in."""

    jar: Path
    python_version: str
    work: Path
    java_options: tuple[str, ...] = ()

    @classmethod
    def from_environment(cls, java_options: tuple[str, ...] = ()) -> "Installation":
        installation = cls(
            jar=Path(os.environ.get("E2E_JAR", REPOSITORY / "target/sandbox.jar")),
            python_version=os.environ.get("E2E_PYTHON_VERSION", "3.13"),
            work=Path(os.environ.get("E2E_WORK", REPOSITORY / "target/e2e/work")),
            java_options=java_options,
        )
        assert installation.jar.is_file(), f"{installation.jar} is missing: run ./mvnw -DskipTests package, or e2e/run"
        for folder in (installation.shared_cache, installation.work / "tmp"):
            folder.mkdir(parents=True, exist_ok=True)
        return installation

    @property
    def shared_cache(self) -> Path:
        return self.work / "cache"

    def fetched_uv(self) -> Path:
        """The uv of the shared cache, for tests with an empty cache; the product fetches it if it is not there yet."""
        if not self._uvs():
            self.command_line("run", *self.options("native"), "-d", "six==1.17.0", "pass")
        return (self._uvs() or [Path(shutil.which("uv") or "uv")])[0]

    def _uvs(self) -> list[Path]:
        return [path for path in self.shared_cache.rglob("uv") if path.is_file() and os.access(path, os.X_OK)]

    def command(self, *arguments: str, temporary: Path | None = None, java_options: list[str] = ()) -> list[str]:
        temporary = temporary or self.work / "tmp"
        options = [*self.java_options, *java_options, f"-Djava.io.tmpdir={temporary}"]
        return ["java", *options, "-jar", str(self.jar), *arguments]

    def client_flags(self) -> list[str]:
        """What the product's own client entries pass to Java."""
        # They name an archive of classes in the cache folder, which a server creates.
        command = self.command("mcp-config", "cursor", f"--cache-dir={self.shared_cache}")
        printed = subprocess.run(command, check=True, capture_output=True).stdout
        arguments = json.loads(printed)["mcpServers"]["python-sandbox"]["args"]
        return arguments[: arguments.index("-jar")]

    def launcher(self) -> Path:
        """The script that `install` writes, in the work folder; made on first use."""
        folder = self.work / "launcher"
        if not (folder / "python-sandbox").exists():
            subprocess.run(
                [*self.command(*self.options("native"), "install", "--to", str(folder))], check=True, capture_output=True
            )
        return folder / "python-sandbox"

    def options(self, backend: str, cache: Path | None = None) -> list[str]:
        return [
            f"--sandbox-backend={backend}",
            f"--python-version={self.python_version}",
            f"--cache-dir={cache or self.shared_cache}",
        ]

    def start(
        self,
        *options: str,
        backend: str,
        cache: Path | None = None,
        warm: bool = False,
        env=None,
        java_options=(),
        temporary: Path | None = None,
    ) -> Server:
        """Starts a server with a new temporary folder, or a given one; `server.whereabouts` finds what it leaves."""
        if temporary is None:
            temporary = self.work / "tmp" / str(next(_numbers))
            shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True, exist_ok=True)
        arguments = [*self.options(backend, cache), *([] if warm else ["--no-warm-cache"]), *options]
        server = Server(
            self.command(*arguments, temporary=temporary, java_options=java_options),
            clean_environment(TMPDIR=str(temporary), **(env or {})),
            self.work,
        )
        server.whereabouts = Whereabouts(temporary, cache or self.shared_cache, server.process.pid)
        return server

    def command_line(self, *arguments: str, env=None, stdin: bytes = b"", timeout: float = 120):
        """Runs the JAR until it exits."""
        return subprocess.run(
            self.command(*arguments), input=stdin, env=clean_environment(**(env or {})), cwd=self.work,
            capture_output=True, timeout=timeout,
        )  # fmt: skip


_numbers = itertools.count(1)
