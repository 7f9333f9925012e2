"""Every package of the warm-up list does real work in the sandbox.

One environment holds them all. A script's last comment says what it prints.
"""

from pathlib import Path

import pytest

from harness.installation import REPOSITORY

HERE = Path(__file__).parent
SCRIPTS = sorted((HERE / "scripts").glob("*.py"))
PACKAGES = (HERE / "packages.txt").read_text().split()
INSTALL_SECONDS = 300

pytestmark = pytest.mark.native_only


@pytest.fixture(scope="module")
def installed(shared_server) -> None:
    shared_server.run("import sys", dependencies=PACKAGES, timeout=INSTALL_SECONDS).expect("ok")


def printed(script: str) -> str:
    _, heading, comment = script.rpartition("\n# prints:\n")
    assert heading, "the script does not say what it prints"
    return "".join(line.removeprefix("#").removeprefix(" ") for line in comment.splitlines(keepends=True))


def test_every_package_has_a_script():
    warmed = (REPOSITORY / "profiles/warmup_packages.txt").read_text().split()
    assert sorted(warmed) == [path.stem for path in SCRIPTS]
    assert set(warmed) <= {pin.partition("==")[0] for pin in PACKAGES}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_does_real_work(server, installed, path):
    script = path.read_text()
    result = server.run(script, dependencies=PACKAGES, timeout_seconds=120, timeout=180).expect("ok")
    assert result.stdout == printed(script)
    assert result.stderr == ""
    images = [item for item in result.raw["content"] if item["type"] == "image"]
    assert len(images) == (1 if path.stem in ("matplotlib", "pillow") else 0)
