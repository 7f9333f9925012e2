"""The docker backend: its limits, its messages, and that no container is left in any case."""

import platform
import re
import shutil
import time
from pathlib import Path

import pytest

from harness.engine import containers, docker, full_engine, nowhere, restart
from harness.scripts import sleeping_with_child
from harness.survivors import assert_gone, wait_until_running

pytestmark = pytest.mark.docker_only


def assert_no_containers(server, seconds: float = 15) -> None:
    deadline = time.monotonic() + seconds
    while left := containers(server.whereabouts.temporary):
        assert time.monotonic() < deadline, f"containers left: {left}"
        time.sleep(0.2)


def sleeping_call(server, marker):
    pending = server.start_call("execute_python", {"script": sleeping_with_child(marker), "timeout_seconds": 120})
    wait_until_running(marker)
    assert containers(server.whereabouts.temporary)
    return pending


def test_no_container_after_the_end_a_timeout_and_a_cancelled_call(start, marker):
    server = start("--require-sandbox", "--warm-pool=0")
    server.run("print(1)").expect("ok")
    server.run("import time; time.sleep(60)", timeout_seconds=1).expect("timed_out")
    server.cancel(sleeping_call(server, marker))
    assert_gone(marker)
    assert_no_containers(server)


def test_no_container_after_the_end_of_input(start, marker):
    server = start("--require-sandbox")
    sleeping_call(server, marker)
    server.close()
    assert_no_containers(server)


def test_no_container_after_the_server_is_killed(start, marker):
    server = start("--require-sandbox")
    sleeping_call(server, marker)
    server.process.kill()
    server.process.wait(10)
    assert_gone(marker, 15)
    assert_no_containers(server)


@pytest.mark.own_engine
def test_engine_that_restarts_costs_the_running_call_alone(start, marker):
    server = start("--require-sandbox")
    pending = sleeping_call(server, marker)
    restart()
    assert_gone(marker)
    assert server.tool_result(pending).structured["status"] == "sandbox_unavailable"
    assert server.run("print(1)").expect("ok").stdout == "1\n"
    server.close()
    assert_no_containers(server)


def test_native_on_macos_means_docker(start):
    # Java's sockets fail under this name of the system; without a proxy none is needed.
    java_options = ["-Dos.name=Mac OS X"]
    server = start("--require-sandbox", "--network=none", backend="native", java_options=java_options)
    assert server.run("print(1)").expect("ok").structured["sandbox"] == "docker"


def test_without_bubblewrap_docker_is_taken(start, tmp_path):
    (tmp_path / "bin").mkdir()
    for name in ("java", "docker"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    server = start("--require-sandbox", backend="native", env={"PATH": str(tmp_path / "bin")})
    assert server.run("print(1)").expect("ok").structured["sandbox"] == "docker"
    assert "bubblewrap is not installed" in server.call("check_environment").text


def test_memory_is_limited_and_reported(start):
    server = start("--require-sandbox", "--max-memory=100m")
    server.run("x = b'x' * (400 << 20)").expect("out_of_memory")


@pytest.mark.host_kernel
def test_files_in_a_containers_folders_are_memory_too(start):
    server = start("--require-sandbox", "--max-memory=100m")
    files = "for n in range(300): open(f'/tmp/{n}', 'wb').write(b'x' * (1 << 20))"
    server.run(files).expect("out_of_memory")


@pytest.mark.host_kernel
def test_processes_are_bounded(start):
    server = start("--require-sandbox", "--max-processes=20")
    script = (
        "import os, time\n"
        "count = 0\n"
        "try:\n"
        "    while count < 500:\n"
        "        if os.fork() == 0: time.sleep(60)\n"
        "        count += 1\n"
        "except OSError: pass\n"
        "print(count < 200, flush=True)\n"
        "os._exit(0)\n"
    )
    assert server.run(script, timeout_seconds=20).expect("ok").stdout == "True\n"


@pytest.mark.parametrize("file", ["mem", "maps", "environ", "fd/0"])
def test_memory_and_descriptors_of_the_supervisor_are_closed(server, file):
    script = f"try: open('/proc/1/{file}', 'rb'); print('open')\nexcept PermissionError: print('closed')"
    assert server.run(script).expect("ok").stdout == "closed\n"


def test_engine_that_is_down_is_reported_with_its_fix(start, tmp_path):
    server = start("--require-sandbox", env=nowhere(tmp_path))
    result = server.run("print('ran')").expect("sandbox_unavailable")
    assert "does not run" in result.text and re.search("systemctl .*start (docker|podman)", result.text)


@pytest.mark.own_engine
def test_engine_whose_disk_is_full_is_reported_with_its_fix(start):
    with full_engine() as engine:
        for options in ([f"--docker-image={engine.image}"], []):  # one that is there, and one that must be built
            server = start("--require-sandbox", *options, env=engine.variables)
            result = server.run("print('ran')").expect("sandbox_unavailable")
            assert "the docker engine's disk is full" in result.text and "docker system prune" in result.text


def test_image_for_another_processor_is_reported_with_its_fix(start, tmp_path, marker):
    name, number = ("arm64", 183) if platform.machine() == "x86_64" else ("amd64", 62)
    program = bytearray(Path(shutil.which("env")).read_bytes())
    program[18:20] = number.to_bytes(2, "little")  # e_machine
    (tmp_path / "env").write_bytes(program)
    (tmp_path / "env").chmod(0o755)
    (tmp_path / "Dockerfile").write_text("FROM scratch\nCOPY env /usr/bin/env\n")
    image = f"localhost:1/{marker}"
    docker("build", "--platform", f"linux/{name}", "--tag", image, tmp_path)
    result = start("--require-sandbox", f"--docker-image={image}").run("print('ran')").expect("sandbox_unavailable")
    assert f"{image} is made for another processor" in result.text
    remedy = re.search(r"(?:docker|podman) (rmi \S+), to rebuild it", result.text)[1]
    docker(*remedy.split())


def test_image_not_found_is_named(start):
    server = start("--require-sandbox", "--docker-image=localhost:1/no-such-image:1", "--python-version=3.2")
    result = server.call("execute_python", {"script": "print('ran')"}, timeout=300, progress_token="image")
    result.expect("sandbox_unavailable")
    assert "localhost:1/no-such-image:1" in result.text and "--docker-image" in result.text
    messages = [n["params"]["message"] for n in server.notifications if n["method"] == "notifications/progress"]
    # The pull may have failed before the call.
    assert any(re.match("building the image: .*step ", message, re.IGNORECASE) for message in messages), messages


def test_check_environment_says_what_it_is(server):
    assert re.search(r"Sandbox status: active \((docker|podman) \d", server.call("check_environment").text)
