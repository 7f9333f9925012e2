"""run, validate and check on the command line."""

import json

import pytest

pytestmark = pytest.mark.any_backend


@pytest.fixture
def cli(installation, backend):
    def run(*arguments, **more):
        return installation.command_line(*installation.options(backend), *arguments, **more)

    return run


def test_the_readmes_first_command(cli):
    ended = cli("run", "-d", "rich==14.2.0", "from rich import print; print('[bold]hi[/]')")
    assert ended.returncode == 0, ended.stderr.decode()
    assert ended.stdout.decode().strip() == "hi"


def test_run_file(cli, tmp_path):
    script = tmp_path / "hello.py"
    script.write_text("print('from file')")
    assert cli("run", "-f", str(script)).stdout == b"from file\n"


def test_run_standard_input(cli):
    assert cli("run", "-", stdin=b"print('from stdin')").stdout == b"from stdin\n"


def test_streams_stay_apart(cli):
    ended = cli("run", "import sys; print('out'); print('err', file=sys.stderr)")
    assert ended.stdout == b"out\n"
    assert b"err\n" in ended.stderr and b"out" not in ended.stderr


@pytest.mark.parametrize("script, code", [("import sys; sys.exit(3)", 3), ("import os; os.abort()", 134)])
def test_exit_code_is_the_scripts(cli, script, code):
    assert cli("run", script).returncode == code


def test_missing_file_is_one_line(cli):
    ended = cli("run", "-f", "/no/such/file.py")
    assert ended.returncode == 2
    assert b"/no/such/file.py" in ended.stderr and b"Exception" not in ended.stderr


def test_nothing_to_run_is_one_line(cli):
    ended = cli("run")
    assert ended.returncode == 2 and ended.stdout == b""


def test_json(cli):
    ended = cli("run", "--json", "-v", "x", "x = 5; print('hi')")
    result = json.loads(ended.stdout)
    assert (result["status"], result["stdout"], result["variables"]) == ("ok", "hi\n", {"x": 5})


def test_validate(cli, tmp_path):
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text("print(1)")
    bad.write_text("def broken(:")
    assert cli("validate", "-f", str(good)).stdout.startswith(b"VALID")
    ended = cli("validate", "-f", str(bad))
    assert ended.stdout.startswith(b"INVALID: ") and ended.returncode == 1


def test_check(cli, backend):
    ended = cli("check")
    assert ended.returncode == 0
    assert f"Sandbox backend: {backend}".encode() in ended.stdout


def test_unknown_command_is_refused(cli):
    ended = cli("no-such-command")
    assert ended.returncode == 2 and ended.stdout == b""


def test_nothing_is_left_behind(cli, installation):
    before = set((installation.work / "tmp").iterdir())
    cli("run", "open('x', 'w').write('x')")
    assert set((installation.work / "tmp").iterdir()) == before
