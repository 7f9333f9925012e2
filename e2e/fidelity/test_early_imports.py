"""A script can't tell whether its first imports happened before it started: each module that the program may import early,
from a real installation. The script of a package imports all its modules, prints what an import can change (early_state.py),
does some work and fails inside of the package; the output is that of `python script.py`."""

import difflib
import re
import time
from collections import defaultdict
from pathlib import Path

import pytest

from fidelity.cases import Case
from fidelity.test_fidelity import ROOM, reference, steady
from harness.installation import REPOSITORY

HERE = Path(__file__).parent
LISTS = REPOSITORY / "src/main/resources/dev/pysandbox/script"
STATE = (HERE / "early_state.py").read_text()
INSTALL_SECONDS = 400
WAIT_SECONDS = 60


def early_modules() -> dict[str, list[str]]:
    """The modules of the list by package."""
    found = defaultdict(list)
    for line in (LISTS / "early_modules.txt").read_text().splitlines():
        if module := line.partition("#")[0].partition(":")[0].strip():
            found[module.partition(".")[0]].append(module)
    return found


def harmless_packages() -> list[str]:
    return (LISTS / "harmless_modules.txt").read_text().partition("# Packages")[2].partition("\n")[2].split()


def implied_modules() -> list[list[str]]:
    """Modules of the list, each followed by those that its import imports too."""
    lines = (line.partition("#")[0] for line in (LISTS / "early_modules.txt").read_text().splitlines())
    return [line.replace(":", "").split() for line in lines if ":" in line]


MODULES = early_modules()
WORK = {
    match["name"]: (match["distribution"], match["work"])
    for match in re.finditer(r"#--- (?P<name>\w+) \| (?P<distribution>\S+)\n(?P<work>(?:(?!#---).*\n)*)",
                             (HERE / "early_packages.txt").read_text())  # fmt: skip
}
DISTRIBUTIONS = tuple(dict.fromkeys(distribution for distribution, _ in WORK.values())) + ("duckdb==2.0.0",)
# What an import can change of the imports after it.
CHANGES = """
import builtins, importlib, logging, os, signal, sys, threading, warnings
def state():
    return [dict(os.environ), sys.path[:], sys.meta_path[:], sys.path_hooks[:], list(warnings.filters), dir(builtins),
            builtins.__import__, sys.excepthook, warnings.showwarning, logging.root.handlers[:], logging.root.level,
            logging.getLoggerClass(), [signal.getsignal(s) for s in signal.valid_signals()], threading.active_count(),
            threading.Thread.start, open, os.getcwd(), sys.stdout, sys.stderr]
before = state()
importlib.import_module(sys.argv[1])
sys.exit(str([pair for pair in zip(before, state()) if pair[0] != pair[1]] or ""))
"""
IMPLIED = "import sys\n__import__(sys.argv[1])\nsys.exit(str([each for each in sys.argv[2:] if each not in sys.modules] or ''))\n"
EACH = """
import subprocess, sys
for words in ALL:
    done = subprocess.run([sys.executable, "-c", CODE, *words], capture_output=True, text=True)
    if done.stderr.strip():
        print(words, done.stderr)
"""


def case(package: str) -> Case:
    imports = "".join(f"import {module}\n" for module in MODULES[package])
    state = STATE.replace("EARLY", repr(MODULES[package]))
    return Case(package, imports + state + WORK[package][1], DISTRIBUTIONS)


def test_every_early_package_is_tested():
    assert sorted(WORK) == sorted(MODULES)


def test_harmless_packages_change_nothing_for_the_imports_after_them(servers):
    assert_silent(servers["cold"], CHANGES, [[package] for package in harmless_packages()])


def test_implied_modules_are_imported_too(servers):
    assert_silent(servers["cold"], IMPLIED, implied_modules())


def assert_silent(server, code: str, arguments: list[list[str]]) -> None:
    assert arguments
    script = f"CODE, ALL = {code!r}, {arguments!r}\n{EACH}"
    result = server.run(script, dependencies=list(DISTRIBUTIONS), timeout_seconds=120, timeout=INSTALL_SECONDS)
    assert result.expect("ok").stdout == ""


@pytest.fixture(scope="module")
def servers(installation):
    """The same hashes in all processes: some packages import what they find in sets."""
    options = ["--require-sandbox", ROOM, "--env=PYTHONHASHSEED=0"]
    with (
        installation.start(*options, backend="native") as warm,
        installation.start(*options, "--warm-pool=0", backend="native") as cold,
    ):
        warm.initialize()
        cold.initialize()
        yield {"warm": warm, "cold": cold}


@pytest.fixture(scope="module")
def expected(request, servers):
    """The output of python for the packages of this run, in the environment with all of them."""
    params = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
    packages = list(dict.fromkeys(each["package"] for each in params if "package" in each))
    servers["cold"].run("pass", dependencies=list(DISTRIBUTIONS), timeout=INSTALL_SECONDS).expect("ok")
    return reference(servers["cold"], [case(package) for package in packages], DISTRIBUTIONS)


@pytest.mark.parametrize("package", sorted(MODULES))
def test_early_import_is_not_noticed(servers, expected, package):
    result = run_beforehand(servers["warm"], case(package))
    stdout, stderr, code = expected[package]
    for output, bare in ((result.stdout, stdout), (result.stderr, stderr)):
        assert not differences(output, bare), "\n".join(differences(output, bare))
    assert result.exit_code == code


def differences(output: str, expected: str) -> list[str]:
    """The lines that differ; the whole text has hundreds."""
    return list(difflib.unified_diff(steady(expected).splitlines(), steady(output).splitlines(), "python", "server", n=0, lineterm=""))


def run_beforehand(server, case: Case):
    """Runs it until a sandbox had imported the modules before."""
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        result = server.run(case.script, dependencies=list(case.dependencies), timeout_seconds=60, timeout=INSTALL_SECONDS)
        files = {file["name"]: file for file in result.structured["files"]}
        if files.get("beforehand", {}).get("text") == "True":
            return result
        time.sleep(1)
    raise AssertionError(f"the modules were never imported beforehand:\n{server.stderr[-2000:]}")
