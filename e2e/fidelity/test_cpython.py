"""CPython's own tests pass in the sandbox: its file systems, processes, signals, sockets and limits are as usual.

`cpython.txt` lists the modules that take a few seconds at most, without those in which most tests write to the standard
library (bdb, import, runpy, traceback); `cpython_exceptions.txt` the tests that do not pass, and why.
"""

import json
import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent
VERSION = "3.13"  # that of the lists
MODULES = (HERE / "cpython.txt").read_text().split() if os.environ.get("E2E_PYTHON_VERSION", VERSION) == VERSION else []
EXCEPTIONS = {
    name.strip(): reason.strip()
    for name, _, reason in (line.partition("#") for line in (HERE / "cpython_exceptions.txt").read_text().splitlines())
    if name
}
BATCH = 60

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def outcomes(request, installation) -> dict[str, tuple[int, str]]:
    items = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
    chosen = list(dict.fromkeys(params["module"] for params in items if "module" in params))
    runner = (HERE / "cpython_runner.py").read_text()
    found: dict[str, tuple[int, str]] = {}
    with installation.start("--require-sandbox", backend="native") as server:
        server.initialize()
        for start in range(0, len(chosen), BATCH):
            wanted = json.dumps({"modules": chosen[start : start + BATCH], "ignored": list(EXCEPTIONS)})
            result = server.run(runner, files={"wanted.json": wanted}, timeout_seconds=300, timeout=330).expect("ok")
            if not result.stdout:
                assert os.environ.get("CI") != "true", "this Python comes without its tests"
                pytest.skip("this Python comes without its tests")
            found |= json.loads(result.stdout)
    return found


@pytest.mark.parametrize("module", MODULES)
def test_passes(outcomes, module):
    code, output = outcomes[module]
    assert code == 0, output


def test_every_exception_has_a_reason():
    assert all(len(reason) > 10 for reason in EXCEPTIONS.values())
