"""What agents import works in the sandbox: each script uses one package for real and checks the result."""

import shutil
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import groupby

import pytest

from packages.cases import EXCEPTIONS, GROUPS, Case, cases
from packages.conftest import TABLE

AT_ONCE = 2  # groups; each installs its environment and then runs its scripts
INSTALL_SECONDS = 600
SECONDS = 60

pytestmark = pytest.mark.isolated


def pytest_generate_tests(metafunc):
    if "case" in metafunc.fixturenames:
        backend = metafunc.config.getoption("backends").split(",")[0]
        chosen = [pytest.param(case, marks=marks(case, backend)) for case in cases(backend)]
        metafunc.parametrize("case", chosen, ids=str)


def marks(case: Case, backend: str) -> list:
    """An exception that starts to work fails, so that it is removed from the list."""
    reason = EXCEPTIONS.get(backend, {}).get(case.package)
    return [pytest.mark.xfail(strict=True, reason=reason)] if reason else []


@pytest.fixture(scope="module")
def surveyed(request, installation, backend, ready):
    """Runs the chosen cases, two groups at once; the figures are printed at the end."""
    calls = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
    chosen = list(dict.fromkeys(params["case"] for params in calls if "case" in params))
    by_group = {name: list(group) for name, group in groupby(chosen, lambda case: case.group)}
    # Ray alone starts more than the 128 processes and threads of the default.
    options = ("--require-sandbox", "--max-cache-size=8g", "--max-processes=512", "--warm-pool=0")
    cache = installation.work / "packages-cache"
    with installation.start(*options, backend=backend, cache=cache) as server:
        server.initialize()
        done: dict[Case, Future] = {case: Future() for case in chosen}
        with ThreadPoolExecutor(AT_ONCE) as threads:
            for group in GROUPS:
                if group.name in by_group:
                    threads.submit(survey, server, group.pins(backend), by_group[group.name], done)
            yield done
    request.config.stash.setdefault(TABLE, []).extend([HEADING, *map(row, done.items())])
    shutil.rmtree(cache, ignore_errors=True)


HEADING = f"{'package':<36}{'status':<16}{'seconds':>8}{'peak MB':>9}{'install s':>11}"


def row(outcome: tuple[Case, Future]) -> str:
    case, future = outcome
    if future.exception():
        return f"{str(case):<36}{type(future.exception()).__name__}"
    found = future.result().structured
    seconds, megabytes, installing = (
        (found.get(name) or 0) / unit
        for name, unit in (("duration_ms", 1e3), ("peak_memory_bytes", 1e6), ("install_ms", 1e3))
    )
    return f"{str(case):<36}{found['status']:<16}{seconds:>8.1f}{megabytes:>9.0f}{installing:>11.1f}"


def survey(server, packages: list[str], group: list[Case], done: dict[Case, Future]) -> None:
    """Runs the scripts of a group one after the other; the first call installs the environment."""
    for case in group:
        try:
            done[case].set_result(
                server.run(case.script, dependencies=packages, timeout_seconds=SECONDS, timeout=INSTALL_SECONDS)
            )
        except BaseException as failure:
            done[case].set_exception(failure)


def test_works(surveyed, backend, case):
    assert "assert" in case.script, "a script checks a result"
    result = surveyed[case].result(INSTALL_SECONDS)
    assert result.status == "ok", result.text[-2000:]


@pytest.mark.any_backend
def test_every_exception_is_a_case():
    for backend, reasons in EXCEPTIONS.items():
        assert set(reasons) <= {case.package for case in cases(backend)}
