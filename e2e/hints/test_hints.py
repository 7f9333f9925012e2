"""Scripts that fail in common ways: most of them succeed when the hint is followed to the letter."""

import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from harness.results import ToolResult
from harness.upstream import Upstream
from hints.follow import PROPOSAL, follow

pytestmark = [pytest.mark.any_backend, pytest.mark.native_only]

CASES = {case["name"]: case for case in tomllib.loads(Path(__file__).with_name("cases.toml").read_text())["case"]}
TRIES = 3  # a script may have more than one thing wrong with it
WEB = "web.example.invalid"


@dataclass
class Attempts:
    """The calls of a case, the first as it is written, the others changed by hints."""

    calls: list[dict] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    repeated: bool = False

    @property
    def shown(self) -> str:
        return "\n\n".join(result.text for result in self.results)


@pytest.fixture(scope="module")
def outcomes(shared_server, module_server, tmp_path_factory) -> dict[str, Attempts]:
    folder = tmp_path_factory.mktemp("mounts") / "sales"
    folder.mkdir()
    (folder / "a.csv").write_text("a,b\n1,2\n")
    for parent in (folder, *folder.parents[:3]):
        parent.chmod(0o755)
    special = module_server(f"--mount={folder}", f"--allow-host={WEB}", env={"HTTP_PROXY": Upstream().url})

    def attempts(case) -> Attempts:
        call = {name: case[name] for name in ("script", "dependencies", "files", "timeout_seconds") if name in case}
        server = special if "MOUNTED" in call["script"] or WEB in call["script"] else shared_server
        call["script"] = call["script"].replace("MOUNTED", str(folder))
        made = Attempts()
        if server is special and "dependencies" in call:  # its proxy does not lead to the index
            shared_server.run("pass", dependencies=call["dependencies"], timeout=300).expect("ok")
        while True:
            made.calls.append(call)
            made.results.append(server.call("execute_python", call, timeout=300))
            hint = made.results[-1].structured.get("hint", "")
            call = follow(hint, call)
            made.repeated = bool(PROPOSAL.search(hint)) and call in made.calls
            if made.results[-1].status == "ok" or call in made.calls or len(made.results) > case.get("tries", TRIES):
                return made

    with ThreadPoolExecutor(3) as pool:
        return dict(zip(CASES, pool.map(attempts, CASES.values()), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_hint(outcomes, name):
    made = outcomes[name]
    first, last = made.results[0], made.results[-1]
    assert first.status != "ok", "the script was to fail"
    assert bool(first.structured.get("hint")) == CASES[name].get("hint", True), first.text
    assert CASES[name].get("says", "") in first.structured.get("hint", ""), first.text
    assert (last.status == "ok") == CASES[name]["helps"], made.shown


@pytest.mark.parametrize("name", CASES)
def test_no_hint_leads_to_a_call_that_was_made(outcomes, name):
    assert not outcomes[name].repeated, outcomes[name].shown


def test_most_scripts_succeed_after_the_hint(outcomes):
    helped = [name for name, made in outcomes.items() if made.results[-1].status == "ok"]
    assert len(outcomes) >= 90
    assert len(helped) >= 80, f"{len(helped)} of {len(outcomes)}: {helped}"
