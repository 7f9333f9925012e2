"""Limits of memory, processors and package age, and the messages when a script exceeds them."""

import pytest

pytestmark = pytest.mark.as_user


@pytest.mark.native_only
@pytest.mark.parametrize(
    "greedy",
    [
        "data = bytearray(10 ** 9)",
        "import os\nkept = []\nwhile True:\n    kept.append(os.urandom(1 << 20))",
        "import subprocess, sys\n"
        "code = 'import os, time; kept = os.urandom(90 << 20); time.sleep(8)'\n"
        "children = [subprocess.Popen([sys.executable, '-c', code]) for _ in range(4)]\n"
        "sys.exit(any([child.wait() for child in children]))",
    ],
    ids=["at once", "bit by bit", "in children"],
)
def test_out_of_memory_says_limit_and_peak(module_server, greedy):
    result = module_server("--max-memory=256m", "--warm-pool=0").run(greedy).expect("out_of_memory")
    assert "256m" in result.structured["hint"] and "MiB" in result.structured["hint"]
    assert "--max-memory" in result.structured["hint"]


@pytest.mark.native_only
def test_memory_that_processes_share_counts_once(module_server):
    """As with multiprocessing, which forks workers that hold the same data."""
    script = (
        "import os, time\n"
        "data = b'x' * (120 << 20)\n"
        "for _ in range(6):\n"
        "    if os.fork() == 0:\n"
        "        time.sleep(2)\n"
        "        os._exit(data[-1] != ord('x'))\n"
        "print(sum(os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(6)))\n"
    )
    assert module_server("--max-memory=256m", "--warm-pool=0").run(script).expect("ok").stdout == "0\n"


@pytest.mark.on_docker
def test_memory_that_is_only_reserved_is_free(server):
    """As WebAssembly, V8 and databases reserve it."""
    flags = "mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_NORESERVE"
    script = f"import mmap\nroom = mmap.mmap(-1, 1 << 38, flags={flags})\nroom[1 << 37] = 1\nprint(len(room) >> 30)"
    assert server.run(script).expect("ok").stdout == "256\n"


@pytest.mark.native_only
@pytest.mark.root_only  # other users have no control group
def test_processors(start):
    """By the CPU time of the script, because the elapsed time depends on the machine."""
    busy = "import time\nstart = time.monotonic()\nwhile time.monotonic() - start < 3: pass\nprint(time.process_time())"
    half = float(start("--max-cpus=0.5", "--warm-pool=0").run(busy).expect("ok").stdout)
    assert half < 2.2, "half a processor gives half the time, plus the first period"


@pytest.mark.native_only
def test_packages_of_an_age(start):
    old = start("--package-age=30")
    assert old.run("import six; print(six.__version__)", dependencies=["six==1.17.0"]).expect("ok").stdout == "1.17.0\n"
    older = start("--package-age=20000")
    refused = older.run("import six", dependencies=["six==1.17.0"]).expect("install_failed")
    assert "1.17.0" in refused.text and "uploaded before" in refused.text
