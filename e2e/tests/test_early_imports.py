"""Which scripts find their first imports done, and that a script does not notice it. The packages are made here; what
real ones do is in fidelity/test_early_imports.py."""

import time

import pytest

from harness.index import PackageIndex
from harness.wheels import build_wheel

pytestmark = [pytest.mark.native_only, pytest.mark.as_user]

# Prints whether the module existed before the script, see fidelity/early_state.py.
PROBE = """
known = [id(each) for each in __import__("g" "c").get_objects()]
print(*(id(vars(module)) not in known for module in MODULES))
"""
OTHERS = ("click", "pytz", "orjson", "tabulate", "xmltodict")
WAIT_SECONDS = 30
SOME_CALLS = 4


@pytest.fixture(scope="module")
def early(module_server, installation, tmp_path_factory):
    """A server with packages that have the names of early modules, and one that is not listed."""
    wheels = tmp_path_factory.mktemp("early-wheels")
    build_wheel(wheels, "numpy", "1.0", "import time\ntime.sleep(0.2)\n")
    for name in ("six", *OTHERS):
        build_wheel(wheels, name, "1.0", "")
    build_wheel(wheels, "not_listed", "1.0", "import sys\nloaded_first = 'numpy' not in sys.modules\n")
    build_wheel(wheels, "sympy", "1.0", "import time, warnings\ntime.sleep(1)\n"
                "warnings.warn('for the importer', DeprecationWarning, stacklevel=2)\n")  # fmt: skip
    build_wheel(wheels, "yaml", "1.0", "import time\ntime.sleep(1)\nprint('printed by the import')\n")
    with PackageIndex(wheels) as index:
        yield module_server(f"--uv-path={installation.fetched_uv()}", env=index.environment)


def run(server, script: str, *modules: str) -> list[str]:
    probe = PROBE.replace("MODULES", f"({''.join(f'{module},' for module in modules)})")
    dependencies = ["numpy==1.0", "six==1.0", "not_listed==1.0", "sympy==1.0", "yaml==1.0"]
    return server.run(script + probe, dependencies=dependencies).expect("ok").stdout.split("\n")[-2].split()


def assert_early(server, script: str, *modules: str) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while run(server, script, *modules) != ["True"] * len(modules):
        assert time.monotonic() < deadline, "never imported before the script"
        time.sleep(0.2)


@pytest.mark.parametrize("script", [
    "import numpy; print(1)",
    "import os, json; import numpy as np; numpy = np",
    "'''A text.'''\nfrom __future__ import annotations\nimport datetime\n\n# a comment\nimport numpy",
    "# /// script\n# dependencies = []\n# ///\nfrom numpy import (\n    __name__ as name,  # more\n)\nimport numpy",
    "import six\nfrom six import __name__\nimport numpy",
], ids=["one-line", "several-on-a-line", "below-text-and-comments", "from", "below-another-package"])  # fmt: skip
def test_imported_before_the_script(early, script):
    assert_early(early, script, "numpy")


@pytest.mark.parametrize("script", [
    "import not_listed\nassert not_listed.loaded_first\nimport numpy",
    "import not_listed, numpy\nassert not_listed.loaded_first",
    "import os\nos.environ['OMP_NUM_THREADS'] = '1'\nimport numpy",
    "if True:\n    import numpy",
], ids=["below-an-unknown-package", "beside-an-unknown-package", "below-a-statement", "indented"])  # fmt: skip
def test_imported_by_the_script(early, script):
    for _ in range(SOME_CALLS):
        assert run(early, script, "numpy") == ["False"]
        time.sleep(0.5)


def test_only_listed_modules_are_imported_before_the_script(early):
    """However often scripts import another one first."""
    for _ in range(SOME_CALLS):
        assert run(early, "import numpy, not_listed", "not_listed") == ["False"]
        time.sleep(0.5)


def test_settings_in_the_working_folder_are_read_by_the_import(early):
    for _ in range(SOME_CALLS):
        result = early.run("import numpy" + PROBE.replace("MODULES", "[numpy]"), files={"matplotlibrc": ""},
                           dependencies=["numpy==1.0"]).expect("ok")  # fmt: skip
        assert result.stdout == "False\n"
        time.sleep(0.3)


def test_a_sandbox_with_fewer_imports_serves(early):
    """The first script with this pair of imports finds one of them done."""
    assert_early(early, "import numpy", "numpy")
    time.sleep(2)  # until all sandboxes that the last calls took are replaced
    assert run(early, "import numpy\nimport six", "numpy")[0] == "True"


@pytest.mark.slow
def test_scripts_find_done_what_most_of_them_import(early):
    """No two import the same."""
    found = []
    for other in OTHERS:
        script = f"import numpy\nimport {other}" + PROBE.replace("MODULES", "[numpy]")
        dependencies = ["numpy==1.0", *(f"{name}==1.0" for name in OTHERS)]
        found.append(early.run(script, dependencies=dependencies).expect("ok").stdout)
        time.sleep(3)
    assert found[0] == "False\n"
    assert found[-1] == "True\n"


def test_a_warning_for_the_importing_script_is_printed(early):
    for _ in range(SOME_CALLS):
        result = early.run("import sympy\nprint(1)", dependencies=["sympy==1.0"]).expect("ok")
        assert result.stdout == "1\n"
        assert "script.py:1: DeprecationWarning: for the importer" in result.stderr


def test_output_of_an_import_is_printed(early):
    """Also of a call that arrives while a sandbox is importing in vain."""
    for _ in range(SOME_CALLS):
        result = early.run("import yaml\nprint(1)", dependencies=["yaml==1.0"]).expect("ok")
        assert result.stdout == "printed by the import\n1\n"
        time.sleep(0.3)
