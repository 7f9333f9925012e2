"""A cache folder that is read-only, full, missing, or shared."""

import subprocess

import pytest

pytestmark = pytest.mark.any_backend


@pytest.fixture
def mounted(tmp_path):
    """Mounts a small tmpfs with the given options; it is unmounted when the test ends."""
    folder = tmp_path / "mounted-cache"
    folder.mkdir()

    def mount(options: str):
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=True)
        return folder

    yield mount
    if folder.is_mount():
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.root_only
def test_read_only_cache_is_named(start, installation, mounted):
    folder = mounted("size=1m,ro")
    server = start(f"--uv-path={installation.fetched_uv()}", cache=folder)
    result = server.run("import six", dependencies=["six==1.17.0"])
    assert result.is_error
    assert str(folder) in result.text and "--cache-dir" in result.text


def test_unwritable_cache_is_named(start, installation, tmp_path):
    """A file in place of the folder: not even root can write into it."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    server = start(f"--uv-path={installation.fetched_uv()}", cache=blocked / "cache")
    result = server.run("import six", dependencies=["six==1.17.0"])
    assert result.is_error
    assert str(blocked) in result.text


@pytest.mark.root_only
def test_full_cache_is_reported(start, installation, mounted):
    folder = mounted("size=1m")
    server = start(f"--uv-path={installation.fetched_uv()}", cache=folder)
    result = server.run("import rich", dependencies=["rich==14.2.0"]).expect("install_failed")
    assert "space" in result.text.lower() or "full" in result.text.lower()
    assert str(folder) in result.text or "--cache-dir" in result.text
    server.assert_alive()


def test_missing_cache_folder_is_made_for_its_owner_alone(start, installation, local_index, tmp_path):
    folder = tmp_path / "not" / "yet"
    server = start(f"--uv-path={installation.fetched_uv()}", cache=folder, env=local_index.environment)
    server.run("import six", dependencies=["six==1.17.0"]).expect("ok")
    assert folder.stat().st_mode & 0o077 == 0


def test_two_servers_share_a_cache(start):
    servers = [start(), start()]
    arguments = {"script": "import idna; print(idna.__version__)", "dependencies": ["idna==3.9"]}
    pending = [(server, server.start_call("execute_python", arguments)) for server in servers for _ in range(3)]
    assert [server.tool_result(call).expect("ok").stdout for server, call in pending] == ["3.9\n"] * 6


def test_failed_install_leaves_no_environment(start):
    server = start("--warm-pool=0")
    server.run("pass", dependencies=["six==1.17.0"]).expect("ok")
    before = server.whereabouts.snapshot()
    for number in range(3):
        server.run("pass", dependencies=[f"no-such-package-e2e-{number}"]).expect("install_failed")
    server.whereabouts.assert_nothing_added(before)


def test_deleted_environment_is_made_again(start, installation, local_index, tmp_path):
    cache = tmp_path / "cache"
    server = start(f"--uv-path={installation.fetched_uv()}", cache=cache, env=local_index.environment)
    server.run("import six", dependencies=["six==1.17.0"]).expect("ok")
    subprocess.run(["find", str(cache / "environments"), "-name", "six.py", "-delete"], check=True)
    subprocess.run(["find", str(cache / "environments"), "-name", "pyvenv.cfg", "-delete"], check=True)
    server.close()
    again = start(f"--uv-path={installation.fetched_uv()}", cache=cache, env=local_index.environment)
    result = again.run("import six; print('back')", dependencies=["six==1.17.0"])
    assert result.expect("ok").stdout == "back\n"
