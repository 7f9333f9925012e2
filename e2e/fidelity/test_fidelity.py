"""A script run by the server prints and returns exactly what `python script.py` does in the same sandbox."""

import base64
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from fidelity.cases import Case, read_cases

CASES = read_cases()
REFERENCE = (Path(__file__).parent / "reference.py").read_text()
AT_ONCE = 4  # calls under way; enough to keep two cores busy
BATCH = 40
ROOM = "--max-output-bytes=67108864"


@pytest.fixture(scope="session")
def servers(installation):
    """Warm: sandboxes are started before the call. Cold: with the call."""
    options = ["--require-sandbox", ROOM]
    with (
        installation.start(*options, backend="native") as warm,
        installation.start(*options, "--warm-pool=0", backend="native") as cold,
    ):
        warm.initialize()
        cold.initialize()
        yield {"warm": warm, "cold": cold}


@pytest.fixture(scope="session")
def chosen(request) -> list[Case]:
    """The cases of this run: with -k not all are."""
    calls = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
    return list(dict.fromkeys(params["case"] for params in calls if "case" in params))


@pytest.fixture(scope="session")
def expected(servers, chosen) -> dict[str, tuple[str, str, int]]:
    found: dict[str, tuple[str, str, int]] = {}
    for dependencies in dict.fromkeys(case.dependencies for case in chosen):
        alike = [case for case in chosen if case.dependencies == dependencies]
        for start in range(0, len(alike), BATCH):
            found |= reference(servers["cold"], alike[start : start + BATCH], dependencies)
    return found


def reference(server, cases: list[Case], dependencies: tuple[str, ...]) -> dict[str, tuple[str, str, int]]:
    scripts = json.dumps({case.name: case.script for case in cases})
    result = server.run(
        REFERENCE, files={"scripts.json": scripts}, dependencies=list(dependencies), timeout_seconds=120, timeout=300
    ).expect("ok")
    return {
        name: (text(base64.b64decode(stdout)), text(base64.b64decode(stderr)), code)
        for name, (stdout, stderr, code) in json.loads(result.stdout).items()
    }


def text(output: bytes) -> str:
    return output.decode("utf-8", "replace")


@pytest.fixture(scope="session")
def answers(servers, chosen):
    """Runs all cases first, cold ones several at once; each test then checks its own result."""
    with ThreadPoolExecutor(1) as warm, ThreadPoolExecutor(AT_ONCE) as cold:
        futures = {("cold", case.name): cold.submit(run, servers["cold"], case) for case in chosen}
        # Grouped by dependencies: the waiting sandbox has the environment of the last call.
        alike = sorted(chosen, key=lambda case: case.dependencies)
        futures |= {("warm", case.name): warm.submit(run_waiting, servers["warm"], case) for case in alike}
        yield futures


def run(server, case: Case):
    return server.run(case.script, dependencies=list(case.dependencies), timeout_seconds=60)


def run_waiting(server, case: Case):
    """Runs it in a warm sandbox; checks that by the process that has ended afterwards."""
    for _ in range(20):  # after the first call the server knows which environment to keep warm
        ready = found_within(60, lambda: waiting(server))
        result = run(server, case)
        if found_within(1, lambda: ready - waiting(server)):
            return result
    raise AssertionError("never ran in a warm sandbox")


def found_within(seconds: float, find) -> set[int]:
    deadline = time.monotonic() + seconds
    while not (found := find()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def waiting(server) -> set[int]:
    """The interpreters in warm sandboxes of a server: each has forked the child that will run the script."""
    known = {process.pid: process.info for process in psutil.process_iter(["ppid", "name"])}
    parents = {info["ppid"] for info in known.values() if info["name"] == "python"}
    return {pid for pid in parents if pid in known and is_below(server.process.pid, pid, known)}


def is_below(ancestor: int, pid: int, known: dict[int, dict]) -> bool:
    if known[pid]["name"] != "python":
        return False
    while pid in known and pid != ancestor:
        pid = known[pid]["ppid"]
    return pid == ancestor


@pytest.mark.parametrize("kind", ["warm", "cold"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_as_python(answers, expected, kind, case):
    result = answers[kind, case.name].result(400)
    stdout, stderr, code = expected[case.name]
    assert steady(result.stdout) == steady(stdout)
    assert steady(result.stderr) == steady(stderr)
    assert result.exit_code == code


def steady(output: str) -> str:
    """Without what differs between processes: addresses, process ids, names of shared memory, durations."""
    return re.sub(r"0x[0-9a-f]{6,}|pid=\d+|psm_[0-9a-f]+|(?<=in )\d+\.\d+s", "~", output)


CHANCE = """
import random, secrets, tempfile, uuid
print(random.random(), random.getrandbits(64), secrets.token_hex(8), uuid.uuid4(), hash("text"))
print(tempfile.mktemp())
"""


@pytest.mark.parametrize("kind", ["warm", "cold"])
@pytest.mark.parametrize("dependencies, script", [
    ([], CHANCE),
    (["numpy"], "import numpy\nprint(numpy.random.rand())\nprint(numpy.random.default_rng().random())\n"),
], ids=["standard-library", "numpy"])  # fmt: skip
def test_chance_differs_between_runs(servers, kind, dependencies, script):
    runs = [servers[kind].run(script, dependencies=dependencies).expect("ok").stdout.split() for _ in range(4)]
    for values in zip(*runs):
        assert len(set(values)) == len(runs), f"the same again: {values}"
