"""Scripts that fork, daemonize or read stdin: the call ends, and no process remains."""

import time

import pytest

from harness.scripts import marked_child
from harness.survivors import assert_gone

pytestmark = [pytest.mark.as_user, pytest.mark.on_docker]


def test_fork_and_exit_ends_the_call(server, marker):
    started = time.monotonic()
    result = server.run(marked_child(marker) + "print('parent done')", timeout_seconds=60).expect("ok")
    assert time.monotonic() - started < 30, "waited for a child that holds stdout open"
    assert result.stdout == "parent done\n"
    assert_gone(marker)


def test_daemon_is_killed(server, marker):
    script = (
        "import os, sys\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        "        for fd in range(3): os.close(fd)\n"
        f"        os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(300)', {marker!r}])\n"
        "    os._exit(0)\n"
        "os.wait()\n"
        "import time; time.sleep(1)\n"
        "print('daemonized')\n"
    )
    assert server.run(script, timeout_seconds=30).expect("ok").stdout == "daemonized\n"
    assert_gone(marker)


def test_many_children_are_all_killed(server, marker):
    script = (
        "import subprocess, sys, time\n"
        f"kids = [subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)', {marker!r}]) for _ in range(10)]\n"
        "time.sleep(300)\n"
    )
    server.run(script, timeout_seconds=3).expect("timed_out")
    assert_gone(marker)


def test_stdin_is_empty(server):
    assert server.run("import sys; print(repr(sys.stdin.read()))").expect("ok").stdout == "''\n"


def test_input_meets_end_of_file(server):
    assert "EOFError" in server.run("input('name? ')").expect("script_error").stderr


def test_children_see_an_empty_stdin_too(server):
    script = "import subprocess, sys\nprint(subprocess.run([sys.executable, '-c', 'import sys; print(len(sys.stdin.read()))'], capture_output=True, text=True).stdout)"
    assert server.run(script).expect("ok").stdout.strip() == "0"


def test_output_of_children_is_part_of_the_result(server):
    script = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(\"from child\")'])"
    assert server.run(script).expect("ok").stdout == "from child\n"


def test_threads_are_waited_for_as_python_does(server):
    script = "import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.5), print('thread'))).start()"
    assert server.run(script).expect("ok").stdout == "thread\n"


def test_the_supervisors_descriptors_are_closed_to_the_script(server):
    script = (
        "import os\n"
        "open_now = []\n"
        "for fd in range(3, 256):\n"
        "    try: os.fstat(fd); open_now.append(fd)\n"
        "    except OSError: pass\n"
        "print(open_now)\n"
    )
    assert server.run(script).expect("ok").stdout == "[]\n"
