"""The launcher that `install` writes, and the archive of classes that it and client entries use."""

import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from harness.server import Server, clean_environment

pytestmark = pytest.mark.native_only


class Home:
    """A home folder, a copy of the JAR, a cache folder, and the launcher."""

    def __init__(self, installation, folder):
        self.installation, self.cache = installation, folder / "cache"
        self.jar = folder / "sandbox.jar"
        shutil.copy2(installation.jar, self.jar)
        self.env = clean_environment(HOME=str(folder / "home"))
        (folder / "home").mkdir()
        self.launcher = folder / "home/.local/bin/python-sandbox"
        self.options = installation.options("native", self.cache)

    def java(self, *arguments: str):
        return self._run(["java", "-jar", str(self.jar), *self.options, *arguments])

    def run(self, *arguments: str):
        return self._run([str(self.launcher), *self.options, *arguments])

    def _run(self, command: list[str]):
        return subprocess.run(command, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)

    def archives(self) -> list:
        return sorted(self.cache.glob("archives/*.jsa"))

    def uses_archive(self) -> bool:
        """Whether the JVM finds the classes of the JAR in the archive."""
        log = self.cache / "classes.log"
        java = self.launcher.read_text().replace("-jar \"$jar\"", f"-Xlog:class+load:file={log} -jar \"$jar\"")
        ended = self._run(["sh", "-c", java, "python-sandbox", *self.options, "run", "print(1)"])
        assert ended.returncode == 0, ended.stderr
        line = next(line for line in log.read_text().splitlines() if " dev.pysandbox.cli.Main " in line)
        return "shared objects file" in line

    def prints_one(self) -> None:
        """Nothing but the script's output: the JVM must not report an archive that it can't use."""
        ended = self.run("run", "print(1)")
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"1\n", b"")


@pytest.fixture
def home(installation, tmp_path):
    return Home(installation, tmp_path)


@pytest.fixture
def installed(home):
    ended = home.java("install")
    assert ended.returncode == 0 and ended.stdout.decode() == f"written: {home.launcher}\n", ended.stderr
    assert f"Add {home.launcher.parent} to PATH.\n" == ended.stderr.decode()
    return home


def test_install_and_uninstall(installed):
    (archive,) = installed.archives()
    assert archive.stat().st_mode & 0o077 == 0 and archive.parent.stat().st_mode & 0o077 == 0
    installed.prints_one()
    assert installed.uses_archive()
    ended = installed.java("uninstall")
    assert ended.stdout.decode() == f"deleted: {installed.launcher}\n"
    assert not installed.launcher.exists() and not archive.parent.exists()
    ended = installed.java("uninstall")
    assert ended.stdout.decode() == f"not installed: {installed.launcher}; --from DIR names another folder\n"


def test_the_exit_code_and_the_arguments_reach_the_script(installed):
    assert installed.run("run", "import sys; sys.exit(7)").returncode == 7
    assert installed.run("run", "print('a  \"b\" $c')").stdout == b"a  \"b\" $c\n"


@pytest.mark.parametrize("spoil", ["missing", "a folder", "of another JAR", "of another place"])
def test_an_archive_that_does_not_fit_is_ignored(installed, spoil):
    (archive,) = installed.archives()
    if spoil == "of another JAR":
        os.utime(installed.jar, (1_700_000_000, 1_700_000_000))
    else:
        archive.unlink()
    if spoil == "of another place":
        other = installed.jar.with_name("other.jar")
        shutil.copy(installed.jar, other)
        subprocess.run(
            ["java", "-Xlog:disable", f"-XX:ArchiveClassesAtExit={archive}", "-jar", str(other), "--version"], check=True
        )
    if spoil == "a folder":
        archive.mkdir()
    installed.prints_one()
    assert not installed.uses_archive()


def test_a_missing_jar_is_named(installed):
    installed.jar.unlink()
    ended = installed.run("--version")
    assert ended.returncode == 127 and str(installed.jar).encode() in ended.stderr and ended.stdout == b""


def test_install_leaves_other_programs_alone(home):
    home.launcher.parent.mkdir(parents=True)
    home.launcher.write_text("#!/bin/sh\n")
    for command in ("install", "uninstall"):
        ended = home.java(command)
        assert ended.returncode == 2 and b"is another program; nothing was changed" in ended.stderr
    assert home.launcher.read_text() == "#!/bin/sh\n"


def test_a_server_creates_the_archive_of_its_client_entry(home):
    printed = home.java("mcp-config", "cursor").stdout
    entry = json.loads(printed)["mcpServers"]["python-sandbox"]
    with Server([entry["command"], *entry["args"], "--no-warm-cache"], home.env, home.cache.parent) as server:
        server.initialize()
        server.request("tools/list", {})
        server.run("print(1)").expect("ok")
        deadline = time.monotonic() + 60
        while not home.archives() and time.monotonic() < deadline:
            time.sleep(0.2)
        assert home.archives() and server.stderr == ""
    assert not list(home.cache.glob("archives/*.part"))


def test_a_server_that_ends_leaves_no_half_archive(home, temporary):
    printed = home.java("mcp-config", "cursor").stdout
    entry = json.loads(printed)["mcpServers"]["python-sandbox"]
    command = [entry["command"], f"-Djava.io.tmpdir={temporary}", *entry["args"], "--no-warm-cache"]
    with Server(command, home.env, home.cache.parent) as server:
        server.initialize()
        server.request("tools/list", {})
        deadline = time.monotonic() + 30
        while not training(home) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert training(home) and list(temporary.glob("archive-*"))
    assert not training(home) and not list(temporary.glob("archive-*"))
    assert not home.archives() and not list(home.cache.glob("archives/*.part"))


@pytest.fixture
def temporary():
    """A folder for temporary files that sandboxes of root can enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


def training(home) -> bool:
    """Whether a JVM that writes an archive of this JAR runs."""
    found = subprocess.run(["pgrep", "-f", f"{home.jar} dev.pysandbox.cli.ArchiveTraining"], capture_output=True)
    return found.returncode == 0
