"""Without bubblewrap and docker the server falls back to none with warnings, or refuses with --require-sandbox."""

import os
from pathlib import Path

import pytest

pytestmark = [pytest.mark.native_only, pytest.mark.as_user]
HIDDEN = {"bwrap", "docker", "podman"}
NO_ENGINE = {name: "unix:///nonexistent/docker.sock" for name in ("DOCKER_HOST", "CONTAINER_HOST")}


@pytest.fixture(scope="module")
def path_without_bwrap(tmp_path_factory) -> str:
    """A PATH with links to every command but the HIDDEN ones."""
    folder = tmp_path_factory.mktemp("bin")
    for entry in reversed(os.environ["PATH"].split(":")):
        if entry.endswith("/shims") or not os.path.isdir(entry):
            continue
        for name in os.listdir(entry):
            link = folder / name
            if name not in HIDDEN:
                link.unlink(missing_ok=True)
                link.symlink_to(Path(entry) / name)
    return str(folder)


def test_required_sandbox_that_is_missing_is_an_error(module_server, path_without_bwrap):
    server = module_server("--require-sandbox", env={"PATH": path_without_bwrap, **NO_ENGINE})
    result = server.run("print('ran')").expect("sandbox_unavailable")
    assert "ran" not in result.structured.get("stdout", "")
    assert "bwrap" in result.text or "bubblewrap" in result.text
    assert "docker" in result.text.lower()
    assert "apt" in result.text or "install" in result.text.lower()


def test_required_sandbox_that_is_missing_refuses_installs_too(module_server, path_without_bwrap):
    server = module_server("--require-sandbox", env={"PATH": path_without_bwrap, **NO_ENGINE})
    server.run("print('ran')", dependencies=["six==1.17.0"]).expect("sandbox_unavailable")


def test_fallback_warns_in_every_result(module_server, path_without_bwrap):
    server = module_server(env={"PATH": path_without_bwrap, **NO_ENGINE})
    for script, status in (("print(1)", "ok"), ("1/0", "script_error")):
        result = server.run(script).expect(status)
        assert result.structured["sandbox"] == "none"
        assert result.warnings
        assert "sandbox" in result.section("warning").value.lower()
    assert "sandbox" in server.stderr.lower()


def test_fallback_shows_in_check_environment_with_its_fix(module_server, path_without_bwrap):
    text = module_server(env={"PATH": path_without_bwrap, **NO_ENGINE}).call("check_environment").text
    assert "Sandbox backend: none" in text
    assert "bubblewrap" in text and "apt" in text


def test_bwrap_that_fails_is_not_counted_as_available(start, path_without_bwrap, tmp_path):
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    broken.chmod(0o755)
    server = start("--require-sandbox", env={"PATH": f"{tmp_path}:{path_without_bwrap}", **NO_ENGINE})
    result = server.run("print('ran')").expect("sandbox_unavailable")
    assert "Permission denied" in result.text


def test_a_backend_can_use_the_cache_of_another(start, installation, local_index, tmp_path):
    """As after bubblewrap is installed on a machine where scripts ran without isolation."""
    options = [f"--uv-path={installation.fetched_uv()}"]
    for backend, package in (("none", "six"), ("native", "idna"), ("native", "six"), ("none", "idna")):
        server = start(*options, backend=backend, cache=tmp_path / "cache", env=local_index.environment)
        server.run(f"import {package}", dependencies=[package]).expect("ok")
