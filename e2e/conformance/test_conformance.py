"""The official conformance suite of MCP, on the server and the HTTP transport of the program with the suite's tools."""

import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from harness.installation import REPOSITORY
from harness.server import clean_environment

HERE = Path(__file__).parent
SERVER = "dev.pysandbox.mcp.http.ConformanceServer"
FEWEST_CHECKS = {"2026-07-28": 110, "2025-11-25": 55}
"""Checks that pass; so that a run in which nothing is checked fails."""


def compiled_tests(jar: Path) -> Path:
    """The folder that e2e/run has copied beside the JAR, or that of Maven."""
    copied = jar.parent / "test-classes"
    return copied if copied.is_dir() else REPOSITORY / "target/test-classes"


@pytest.fixture(scope="module")
def url(installation):
    path = os.pathsep.join([str(compiled_tests(installation.jar)), str(installation.jar)])
    process = subprocess.Popen(
        ["java", "-cp", path, SERVER, "0"], env=clean_environment(), stderr=subprocess.PIPE, text=True
    )
    try:
        found = process.stderr.readline().strip()
        assert found.startswith("http://127.0.0.1:"), found
        yield found
        assert process.poll() is None, "the server has ended"
    finally:
        process.kill()
        process.wait()


@pytest.mark.any_backend
@pytest.mark.parametrize("revision", FEWEST_CHECKS)
def test_the_required_scenarios_pass(url, revision, tmp_path):
    started = time.monotonic()
    done = subprocess.run(
        ["conformance", "server", "--url", url, "--requirements", revision, "--output-dir", str(tmp_path),
         "--expected-failures", str(HERE / f"expected-failures-{revision}.yml")],
        env=clean_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=300,
    )  # fmt: skip
    summary = done.stdout[done.stdout.find("=== SUMMARY ===") :]
    print(f"{revision}, {time.monotonic() - started:.0f} s\n{summary}")
    assert done.returncode == 0, done.stdout[-6000:]
    assert int(re.search(r"Total: (\d+) passed", summary)[1]) >= FEWEST_CHECKS[revision], summary
