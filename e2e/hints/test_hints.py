"""Scripts that fail in common ways: most of them succeed when the hint is followed to the letter."""

import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hints.follow import follow

pytestmark = [pytest.mark.any_backend, pytest.mark.native_only]

CASES = {case["name"]: case for case in tomllib.loads(Path(__file__).with_name("cases.toml").read_text())["case"]}
TRIES = 3  # a script may have more than one thing wrong with it


@pytest.fixture(scope="module")
def outcomes(shared_server) -> dict[str, list]:
    """For each case, the results of the original call and of the calls changed by its hints."""

    def attempts(case) -> list:
        call = {name: case[name] for name in ("script", "dependencies", "files", "timeout_seconds") if name in case}
        results = [shared_server.call("execute_python", call, timeout=300)]
        while results[-1].status != "ok" and len(results) <= case.get("tries", TRIES):
            changed = follow(results[-1].structured.get("hint", ""), call)
            if changed == call:
                break
            call = changed
            results.append(shared_server.call("execute_python", call, timeout=300))
        return results

    with ThreadPoolExecutor(3) as pool:
        return dict(zip(CASES, pool.map(attempts, CASES.values()), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_hint(outcomes, name):
    first, *others = outcomes[name]
    assert first.status != "ok", "the script was to fail"
    assert bool(first.structured.get("hint")) == CASES[name].get("hint", True), first.text
    last = others[-1] if others else first
    assert (last.status == "ok") == CASES[name]["helps"], "\n\n".join(result.text for result in outcomes[name])


def test_most_scripts_succeed_after_the_hint(outcomes):
    helped = [name for name, results in outcomes.items() if results[-1].status == "ok"]
    assert len(outcomes) >= 40
    assert len(helped) >= 30 and len(helped) / len(outcomes) >= 0.75, f"{len(helped)} of {len(outcomes)}: {helped}"
