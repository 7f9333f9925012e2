"""The commands in a pipe: limits, JSON, exit codes, and what a program reads."""

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.scripts import sleeping_with_child
from harness.server import clean_environment
from harness.survivors import assert_gone, wait_until_running

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
pytestmark = [pytest.mark.native_only, pytest.mark.any_backend]


@pytest.fixture
def cli(installation, backend):
    def run(*arguments, cache=None, **more):
        return installation.command_line(*installation.options(backend, cache), *arguments, **more)

    return run


def test_exit_codes_of_the_program(cli):
    assert cli("run", "-t", "1", "while True: pass").returncode == 124
    assert cli("run", "-d", "../x", "print(1)").returncode == 125


@pytest.mark.parametrize(
    "options, complaint",
    [
        (["--max-memory", "1g", "-m", "1025m"], b"-m must be at most --max-memory (1g), got 1025m"),
        (["-m", "lots"], b"must be a size such as 512m or 2g"),
    ],
)
def test_more_than_allowed_is_refused(cli, options, complaint):
    ended = cli("run", *options, "print('ran')")
    assert ended.returncode == 2 and ended.stdout == b""
    assert complaint in ended.stderr and ended.stderr.count(b"\n") == 1


def test_memory(cli):
    ended = cli("run", "-m", "100m", "x = bytearray(400 << 20)\nwhile True: pass")
    assert ended.returncode == 137 and b"100m" in ended.stderr


def test_output_is_bounded_and_whole_characters(cli):
    ended = cli("run", "-o", "2001", "print('é' * 5000)")
    assert ended.stdout.decode() == "é" * 1000
    assert ended.stderr.count(b"the rest of stdout is not shown") == 1
    assert len(cli("run", "print('x' * 300_000)").stdout) == 300_001


def test_options_before_and_after_the_command(cli):
    assert cli("--network=none", "run", "--env=A=1", "import os; print(os.environ['A'])").stdout == b"1\n"
    result = json.loads(cli("--network=none", "run", "--json", "1").stdout)
    assert result["network"] == "none"
    assert json.loads(cli("run", "--json", "--network=none", "1").stdout)["network"] == "none"


def test_variables_of_the_environment_come_last(cli):
    env = {"PYTHON_SANDBOX_NETWORK": "none"}
    assert json.loads(cli("run", "--json", "1", env=env).stdout)["network"] == "none"
    assert json.loads(cli("--network=internet", "run", "--json", "1", env=env).stdout)["network"] == "internet"


def test_json(cli):
    validated = json.loads(cli("validate", "--json", "-d", "six", "import six").stdout)
    assert validated["valid"] and validated["dependencies"] == ["six"]
    checked = json.loads(cli("check", "--json").stdout)
    assert checked["sandbox"] == "native" and checked["remedies"] == []
    failed = cli("run", "--json", "1/0")
    assert failed.returncode == 1 and json.loads(failed.stdout)["status"] == "script_error"


def test_nothing_but_text_in_a_pipe(cli):
    for command in (["validate", "print(1)"], ["check"], ["--help"], ["run", "-d", "six", "print(1)"]):
        ended = cli(*command)
        assert b"\x1b" not in ended.stdout + ended.stderr and b"\r" not in ended.stderr


def test_a_reader_that_has_seen_enough(installation, backend):
    command = installation.command(*installation.options(backend), "run", "while True: print('y')")
    pipeline = shlex.join(command) + " | head -1; echo ${PIPESTATUS[0]}"
    ended = subprocess.run(["bash", "-c", pipeline], env=clean_environment(), capture_output=True, timeout=60)
    assert ended.stdout == b"y\n141\n" and ended.stderr == b""


def test_sigint_and_sigterm(installation, backend, marker):
    for number in (signal.SIGINT, signal.SIGTERM):
        command = installation.command(*installation.options(backend), "run", sleeping_with_child(marker))
        process = subprocess.Popen(
            command,
            env=clean_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored by a shell's background jobs
        )
        wait_until_running(marker)
        process.send_signal(number)
        _, complaints = process.communicate(timeout=30)
        assert process.returncode == 130 and complaints == b""
        assert_gone(marker)


def test_versions_everywhere(cli):
    for command in ([], ["run"], ["validate"], ["check"], ["warm"], ["clean"], ["mcp-config"], ["install"], ["uninstall"], ["completion"]):
        assert cli(*command, "--version").stdout.startswith(b"python-sandbox ")


def test_warm_prints_each_step(cli, tmp_path):
    ended = cli("warm", env={"UV_DEFAULT_INDEX": "http://127.0.0.1:9/simple"}, cache=tmp_path / "cache")
    assert ended.returncode == 1 and b"1/16 " in ended.stderr and b"\r" not in ended.stderr


def test_clean_removes_only_what_is_ours(cli, tmp_path):
    cache = tmp_path / "cache"
    for name in ("environments/a", "install/b", "keep"):
        (cache / name).mkdir(parents=True)
    (cache / "install/b/file").write_bytes(b"x" * 100)
    (cache / "environments/a/link").symlink_to(tmp_path)
    report = json.loads(cli("clean", "--json", cache=cache).stdout)
    assert report["removed"]["install"] == 100 and set(report["removed"]) == {"environments", "install"}
    assert [entry.name for entry in cache.iterdir()] == ["keep"]
    assert cli("clean", cache=tmp_path / "none").stdout.startswith(b"freed 0 bytes")


def test_clean_removes_trees_deeper_than_a_path_is_long(cli, tmp_path):
    """As a build may leave them: each folder is made inside the one before, deeper than a path can be."""
    cache = tmp_path / "cache"
    (cache / "builds" / "0").mkdir(parents=True)
    (cache / "environments").mkdir()
    made = (
        f"import os\nos.chdir({str(cache / 'builds' / '0')!r})\n"
        "for _ in range(3000):\n    os.mkdir('deep'); os.chdir('deep')\n"
    )
    subprocess.run([sys.executable, "-c", made], check=True)
    ended = cli("clean", cache=cache)
    assert ended.returncode == 0, ended.stderr
    assert not cache.exists()


def test_clean_refuses_other_folders(cli, tmp_path):
    (tmp_path / "install").mkdir()
    (tmp_path / "Documents").mkdir()
    (tmp_path / "Music").mkdir()
    ended = cli("clean", cache=tmp_path)
    assert ended.returncode == 2 and b"nothing was deleted" in ended.stderr
    assert (tmp_path / "install").is_dir()


@pytest.mark.parametrize("client", ["claude-code", "claude-desktop", "cursor", "vscode", "gemini", "opencode", "codex"])
def test_mcp_config_writes_the_users_file(installation, cli, client, tmp_path):
    env = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": None, "CODEX_HOME": None}
    first = installation.command_line("--network=none", "mcp-config", client, "--write", env=env)
    assert first.returncode == 0, first.stderr
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert first.stdout.decode() == f"written: {file}\n"
    text = file.read_text()
    for part in ("python-sandbox", "-XX:+UseSerialGC", str(installation.jar.resolve()), "--network=none"):
        assert part in text
    if client in ("cursor", "codex"):  # one writes JSON, the other TOML
        again = installation.command_line("--network=none", "mcp-config", client, "--write", env=env)
        assert again.stdout.decode() == f"already there: {file}\n" and file.read_text() == text


def test_the_written_command_starts_a_server(installation, tmp_path):
    file = tmp_path / "mcp.json"
    installation.command_line("mcp-config", "cursor", "--write", "--to", str(file))
    entry = json.loads(file.read_text())["mcpServers"]["python-sandbox"]
    ended = subprocess.run([entry["command"], *entry["args"]], input=b"", capture_output=True, timeout=60)
    assert ended.returncode == 0, ended.stderr


def test_mcp_config_leaves_a_malformed_file_alone(installation, tmp_path):
    file = tmp_path / "mcp.json"
    file.write_text('{"mcpServers": {')
    ended = installation.command_line("mcp-config", "cursor", "--write", "--to", str(file))
    assert ended.returncode == 2 and b"was not changed" in ended.stderr
    assert file.read_text() == '{"mcpServers": {' and [f.name for f in tmp_path.iterdir()] == ["mcp.json"]


SHELLS = {
    "bash": "source {script}; COMP_WORDS=({words}); COMP_CWORD={last}; COMP_LINE='{words}'; "
    "COMP_TYPE=9; cur={current}; _complete_python-sandbox; echo ${{COMPREPLY[@]}}",
    "fish": "source {script}; complete -C '{words}'",
}


@pytest.fixture(scope="module")
def completion(installation, tmp_path_factory):
    """Returns the file with the completion script for a shell."""
    folder = tmp_path_factory.mktemp("completion")

    def script(shell: str) -> Path:
        file = folder / shell
        if not file.exists():
            file.write_bytes(installation.command_line("completion", shell).stdout)
        return file

    return script


@pytest.mark.parametrize("shell", ["bash", "fish"])
@pytest.mark.parametrize("words, offered", [("python-sandbox va", "validate"), ("python-sandbox run --pol", "--policy"),
                                            ("python-sandbox --network i", "internet")])  # fmt: skip
def test_completion(completion, shell, words, offered):
    parts = words.split()
    program = SHELLS[shell].format(script=completion(shell), words=words, last=len(parts) - 1, current=parts[-1])
    ended = subprocess.run([shell, "-c", program], capture_output=True, timeout=30)
    assert offered in ended.stdout.decode().split(), ended


def test_completion_in_zsh(completion, tmp_path):
    program = f"autoload -U compinit && compinit -u -d {tmp_path}/dump; source {completion('zsh')}; echo $_comps[python-sandbox]"
    ended = subprocess.run(["zsh", "-fc", program], capture_output=True, timeout=30)
    assert b"_complete_python-sandbox" in ended.stdout, ended


@pytest.mark.slow
def test_the_java_api(installation, tmp_path):
    example = EXAMPLES / "RunPandas.java"
    command = ["java", "-cp", str(installation.jar), str(example), installation.python_version]
    env = clean_environment(XDG_CACHE_HOME=str(tmp_path))
    ended = subprocess.run(command, env=env, capture_output=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    mean, summary = ended.stdout.decode().split("\n", 1)
    assert mean == "2.0" and summary.startswith("OK in native: {frame={type=pandas.")
