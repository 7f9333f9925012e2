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


def test_run_file_without_its_option(cli, tmp_path):
    script = tmp_path / "hello.py"
    script.write_text("print('from file')")
    assert cli("run", str(script)).stdout == b"from file\n"
    assert cli("run", str(script.rename(tmp_path / "my plot.py"))).stdout == b"from file\n"
    ended = cli("run", "no-such-file.py")
    assert ended.returncode == 2 and b"no file 'no-such-file.py'" in ended.stderr and b"-f FILE" in ended.stderr


def test_hints_name_options(cli):
    assert b"run again with -d pyyaml\n" in cli("run", "import yaml").stderr
    assert b"run again with -t 10\n" in cli("run", "-t", "1", "import time; time.sleep(9)").stderr
    assert b"json comes with Python; run again without -d\n" in cli("run", "-d", "json", "pass").stderr
    assert b"--mount FOLDER" in cli("run", "open('sales.csv')").stderr


WRITES = """
import os, sys
os.makedirs("sub"); os.makedirs(".git")
for name in ("a.txt", "sub/b.bin", ".git/config", "linked"):
    open(name, "w").write("written")
"""


def test_files_are_written_where_the_user_wants_them(cli, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "victim").write_text("mine")
    (out / "linked").symlink_to(tmp_path / "victim")
    (out / "a.txt").write_text("old")
    ended = cli("run", "--out", str(out), WRITES)
    assert ended.returncode == 0 and ended.stdout == b""
    assert sorted(str(path.relative_to(out)) for path in out.rglob("*")) == ["a.txt", "linked", "sub", "sub/b.bin"]
    assert (out / "a.txt").read_text() == (out / "sub/b.bin").read_text() == "written"
    assert (tmp_path / "victim").read_text() == "mine"
    assert f"written: {out}/a.txt".encode() in ended.stderr
    assert b"not written: .git/config (hidden)" in ended.stderr and b"not written: linked (" in ended.stderr


def test_a_folder_that_is_a_link_is_not_written_to(cli, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out/sub").symlink_to(tmp_path / "elsewhere")
    ended = cli("run", "--out", str(tmp_path / "out"), WRITES)
    assert b"not written: sub/b.bin" in ended.stderr
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_file_that_can_not_be_written_is_a_failure_of_its_own(cli, tmp_path):
    script = "import os, sys; os.makedirs('d/' * 40); open('d/' * 40 + 'a', 'w').write('x'); sys.exit(%d)"
    ended = cli("run", "--out", str(tmp_path), script % 0)
    assert ended.returncode == 125 and b"python-sandbox: not written: d/" in ended.stderr
    assert cli("run", "--out", str(tmp_path), script % 7).returncode == 7
    assert list(tmp_path.iterdir()) == []


def test_json_names_the_final_paths(cli, tmp_path):
    out = tmp_path / "out"
    result = json.loads(cli("run", "--json", "--out", str(out), WRITES).stdout)
    uris = {file["name"]: file.get("uri") for file in result["files"]}
    assert uris["a.txt"] == (out / "a.txt").as_uri() and (out / "a.txt").read_text() == "written"
    assert uris[".git/config"] is None and "not written: .git/config (hidden)" in result["warnings"]


def test_a_file_outside_of_the_working_folder_is_written_under_its_path(cli, backend, tmp_path):
    if backend == "none":
        pytest.skip("its /tmp is that of the machine")
    ended = cli("run", "--out", str(tmp_path / "out"), "open('/tmp/x.csv', 'w').write('1')")
    assert f"written: {tmp_path}/out/tmp/x.csv\n".encode() in ended.stderr
    assert (tmp_path / "out/tmp/x.csv").read_text() == "1"


def test_files_that_are_not_kept_are_named(cli):
    ended = cli("run", "open('plot.png', 'w').write('x'); print('done')")
    assert ended.stdout == b"done\n"
    assert b"python-sandbox: the script wrote plot.png (1 byte); --out DIR keeps it\n" in ended.stderr


def test_misspelt_variable_is_refused(cli):
    ended = cli("run", "print(1)", env={"PYTHON_SANDBOX_NETWROK": "none"})
    assert ended.returncode == 2 and ended.stdout == b""
    assert ended.stderr == b"python-sandbox: unknown variable: PYTHON_SANDBOX_NETWROK; did you mean PYTHON_SANDBOX_NETWORK?\n"
    assert cli("run", "print(1)", env={"PYTHON_SANDBOX_SOMETHING_ELSE": "1"}).returncode == 0


def test_a_failed_build_shows_its_lines(cli):
    ended = cli("run", "-d", "mysqlclient", "pass", timeout=300)
    assert ended.returncode == 125
    lines = ended.stderr.decode().splitlines()
    assert any("Can not find valid pkg-config name" in line and len(line) < 200 for line in lines), lines
    assert lines[-1].endswith("run again with -d pymysql")


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
