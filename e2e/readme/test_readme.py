"""Runs every command in the README, and compares every result in it with the server's."""

import ast
import re
import shutil
import subprocess

import pytest

from harness.installation import REPOSITORY
from harness.results import png_size
from harness.server import clean_environment

pytestmark = pytest.mark.native_only

TEXT = (REPOSITORY / "README.md").read_text()
PROGRAMS = ("./mvnw", "alias", "cat", "claude", "codex", "e2e/", "gemini", "java", "jbang", "sudo")
# Commands with these beginnings are not run here, for the reason given.
ELSEWHERE = {
    "./mvnw": "built the JAR that is tested",
    "e2e/run": "runs this test",
    "e2e/soak/run": "takes ten minutes; e2e/run runs a short form",
    "e2e/bench/run": "takes as long as all tests together, and asserts nothing",
    "sudo apt-get": "e2e/lib/provision/system.sh has done so",
    "sudo runsc install": "e2e/engines/run runsc builds gVisor and configures docker",
    "java -jar sandbox.jar --http": "runs until it is stopped; test_http.py does that",
    "claude mcp add --transport http": "needs that server; e2e/clients adds it",
    "alias": "test_command_line.py tries completion in each shell",
    "jbang": "test_distribution.py runs jbang; here its coordinates are checked",
}
FILLED_IN = {" CLIENT": " claude-code"}


def indented_blocks() -> list[str]:
    """Code by indentation; fenced blocks are Java."""
    prose = re.sub(r"^```.*?^```", "", TEXT, flags=re.DOTALL | re.MULTILINE)
    blocks = re.findall(r"(?:^    .*\n(?:[ \t]*\n(?=    ))*)+", prose, re.MULTILINE)
    return [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in blocks]


def commands() -> list[str]:
    lines = [line for block in indented_blocks() if block.startswith(PROGRAMS) for line in block.splitlines()]
    spans = [span for span in re.findall(r"`([^`\n]+)`", TEXT) if span.startswith(PROGRAMS) and " " in span]
    return sorted({line.strip() for line in lines + spans if line.strip()})


def transcripts() -> list[tuple[dict, str]]:
    """Calls with their results."""
    found = []
    for block in indented_blocks():
        if block.startswith("execute_python("):
            call, _, result = block.partition("\n\n")
            (expression,) = ast.parse(call.strip()).body
            found.append(({k.arg: ast.literal_eval(k.value) for k in expression.value.keywords}, result.rstrip()))
    return found


COMMANDS = commands()
HERE = [command for command in COMMANDS if not command.startswith(tuple(ELSEWHERE))]


@pytest.fixture(scope="module")
def folder(installation, tmp_path_factory):
    """A folder with the files that the README assumes."""
    folder = tmp_path_factory.mktemp("readme")
    for place in (folder, folder / "target"):
        place.mkdir(exist_ok=True)
        shutil.copy(installation.jar, place / "sandbox.jar")
    (folder / "analysis.py").write_text("import os\ntotal = len(os.listdir('/data/data'))\n")
    (folder / "script.py").write_text("print('read from a pipe')\n")
    (folder / "data").mkdir()
    (folder / "data/one.csv").write_text("a\n1\n")
    (folder / "home").mkdir()
    return folder


def test_commands_are_found():
    assert "./mvnw -q -DskipTests package" in COMMANDS
    assert any(command.startswith("claude mcp add") for command in HERE)
    assert len(HERE) >= 5 and len(transcripts()) >= 3


@pytest.mark.parametrize("command", HERE)
def test_command_works(command, folder, installation, backend):
    for word, value in FILLED_IN.items():
        command = command.replace(word, value)
    command = command.replace("/path/to/sandbox.jar", str(folder / "sandbox.jar"))
    settings = {
        "HOME": str(folder / "home"),
        "PYTHON_SANDBOX_CACHE_DIR": str(installation.shared_cache),
        "PYTHON_SANDBOX_PYTHON_VERSION": installation.python_version,
        "PYTHON_SANDBOX_SANDBOX_BACKEND": backend,
    }
    serving = command.split()[-1].endswith("sandbox.jar") and command.startswith("java")
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], cwd=folder, env=clean_environment(**settings),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    assert serving or done.stdout.strip(), "it says nothing"


@pytest.mark.parametrize("number", range(len(transcripts())))
def test_transcript_is_true(server, number):
    arguments, expected = transcripts()[number]
    result = server.run(**arguments)

    def steady(text: str) -> str:
        # The install time depends on earlier calls, the size of an image on the library that writes it.
        text = re.sub(r"\d+(?= bytes, image/png\))", "N", re.sub(r"--- install_ms: \d+ ---\n?", "", text))
        return re.sub(r"(duration_ms: )\d+", r"\1N", text).strip()

    assert steady(result.text) == steady(expected)
    assert len(result.images) == expected.count("image/png")
    for image in result.images:
        assert png_size(image) == png_size((REPOSITORY / "e2e/readme/figure-1.png").read_bytes())


def test_jbang_is_given_what_is_published():
    version = re.search(r"<artifactId>python-sandbox</artifactId>\s*<version>(.*?)<", (REPOSITORY / "pom.xml").read_text())
    for command in COMMANDS:
        if command.startswith("jbang"):
            assert f"dev.pysandbox:python-sandbox:{version[1]}" in command or "python-sandbox@pysandbox" in command
