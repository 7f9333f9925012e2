"""Dependencies by PEP 723 block and by argument, merged, reused, and refused."""

import pytest

from harness.scripts import with_metadata

pytestmark = pytest.mark.as_user

VERSION = "import six; print(six.__version__)"


def test_by_block(server):
    script = with_metadata('requires-python = ">=3.9"\ndependencies = ["six==1.17.0"]', VERSION)
    assert server.run(script).expect("ok").stdout == "1.17.0\n"


def test_by_argument(server):
    assert server.run(VERSION, dependencies=["six==1.17.0"]).expect("ok").stdout == "1.17.0\n"


@pytest.mark.on_docker
def test_by_both(server):
    script = with_metadata('dependencies = ["six==1.17.0"]', "import six, idna; print(six.__version__, idna.__version__)")
    assert server.run(script, dependencies=["idna==3.10"]).expect("ok").stdout == "1.17.0 3.10\n"


def test_with_transitive_dependencies(server):
    script = "import rich, pygments; from rich.text import Text; print(Text('hi'))"
    assert server.run(script, dependencies=["rich==14.2.0"]).expect("ok").stdout == "hi\n"


def test_extras_and_markers(server):
    dependencies = ["markdown-it-py[linkify]==3.0.0", "six==1.17.0; python_version >= '3'", "nosuch==1; python_version < '3'"]
    script = "import markdown_it, linkify_it, six; print('ok')"
    assert server.run(script, dependencies=dependencies).expect("ok").stdout == "ok\n"


def test_same_project_twice_means_both_constraints(server):
    script = with_metadata('dependencies = ["Six>=1.15"]', VERSION)
    assert server.run(script, dependencies=["six<1.17"]).expect("ok").stdout == "1.16.0\n"


@pytest.mark.on_docker
def test_second_call_installs_nothing(server):
    arguments = {"script": VERSION, "dependencies": ["six==1.17.0"]}
    server.call("execute_python", arguments).expect("ok")
    again = server.call("execute_python", arguments).expect("ok")
    assert again.structured.get("install_ms") in (None, 0)
    assert "install_ms" not in again.section_names()


def test_environment_outlives_the_server(start):
    for first in (True, False):
        server = start()
        result = server.run(VERSION, dependencies=["six==1.17.0"]).expect("ok")
        if not first:
            assert "install_ms" not in result.section_names()
        server.close()


def test_order_and_spelling_share_an_environment(server):
    server.run("pass", dependencies=["six==1.17.0", "idna==3.10"]).expect("ok")
    again = server.run("pass", dependencies=["idna==3.10", "six==1.17.0"]).expect("ok")
    assert "install_ms" not in again.section_names()


@pytest.mark.on_docker
def test_undeclared_package_is_not_there(server):
    server.run(VERSION, dependencies=["six==1.17.0"]).expect("ok")
    assert "ModuleNotFoundError" in server.run(VERSION).expect("script_error").stderr


def test_many_calls_may_install_the_same_at_once(start, installation, local_index, tmp_path):
    server = start(f"--uv-path={installation.fetched_uv()}", cache=tmp_path / "cache", env=local_index.environment)
    arguments = {"script": VERSION, "dependencies": ["six==1.17.0"]}
    pending = [server.start_call("execute_python", arguments) for _ in range(6)]
    assert [server.tool_result(call, 180).expect("ok").stdout for call in pending] == ["1.17.0\n"] * 6


def test_nonexistent_dependency_is_named(server):
    result = server.run("print(1)", dependencies=["no-such-package-e2e-93471"]).expect("install_failed")
    assert "no-such-package-e2e-93471" in result.text


@pytest.mark.on_docker
def test_nonexistent_version_is_named(server):
    result = server.run("print(1)", dependencies=["six==99.0"]).expect("install_failed")
    assert "six==99.0" in result.text


def test_conflict_is_named(server):
    script = with_metadata('dependencies = ["six==1.16.0"]', "print(1)")
    result = server.run(script, dependencies=["six==1.17.0"]).expect("install_failed")
    assert "1.16.0" in result.text and "1.17.0" in result.text and "six" in result.text


@pytest.mark.parametrize(
    "dependency",
    ["-r requirements.txt", "--index-url=http://localhost/", "-e .", "six\nidna", "./local", "/etc", "../up",
     "file:///etc/passwd", "six @ file:///tmp/six.whl", "~/six", "???bad", "", "six=="],
)  # fmt: skip
def test_refused_with_its_reason(server, dependency):
    result = server.run("print(1)", dependencies=[dependency]).expect("invalid_script")
    assert dependency.strip().splitlines()[0][:20] in result.text if dependency else "empty" in result.text.lower()


@pytest.mark.on_docker
def test_source_distribution_is_built_or_refused_clearly(server):
    result = server.run("import docopt; print(docopt.__version__)", dependencies=["docopt==0.6.2"], timeout=180)
    if result.is_error:
        assert result.status == "install_failed" and "docopt" in result.text
    else:
        assert result.stdout == "0.6.2\n"


def test_programs_of_packages_run(server):
    script = "import subprocess\nprint(subprocess.run(['pygmentize', '-V'], capture_output=True, text=True))"
    result = server.run(script, dependencies=["pygments==2.19.2"])
    assert "returncode=0" in result.stdout and "Pygments version 2.19.2" in result.stdout, result.text
