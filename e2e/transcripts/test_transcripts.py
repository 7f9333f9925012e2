"""One conversation per feature, through the Python client: the results are those of the transcript.

`E2E_RECORD=1` writes the results into the transcripts instead; check the difference before you commit it.
"""

import os

import pytest

from harness.server import clean_environment
from transcripts.player import Player, load, save

pytestmark = [pytest.mark.any_backend, pytest.mark.native_only]

TRANSCRIPTS = load()
COMPARED = ("is_error", "content", "structured")


@pytest.fixture(scope="module")
def given(installation, backend, tmp_path_factory) -> dict[str, list]:
    folder = tmp_path_factory.mktemp("transcripts")
    for name in ("kept", "data/sales", "images"):
        (folder / name).mkdir(parents=True)
    (folder / "data/sales/2024.csv").write_text("month,amount\n1,10\n")
    places = {name: str(folder / name) for name in ("kept", "data")}
    results = {}
    for options in sorted({tuple(each["server"]) for each in TRANSCRIPTS.values()}):
        command = installation.command(
            *installation.options(backend), "--no-warm-cache", *(option.format(**places) for option in options)
        )
        player = Player(command, clean_environment(), installation.work, places, folder / "images")
        results |= player.play({name: each for name, each in TRANSCRIPTS.items() if tuple(each["server"]) == options})
    return results


def compared(result: dict) -> dict:
    """The parts that must be the same in each run; progress depends on timing."""
    if "results" in result:
        return {"results": [compared(each) for each in result["results"]]}
    return {key: value for key, value in result.items() if key in COMPARED} if "content" in result else result


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_transcript(given, name):
    transcript = TRANSCRIPTS[name]
    if os.environ.get("E2E_RECORD"):
        for step, result in zip(transcript["steps"], given[name], strict=True):
            step["gives"] = compared(result)
        save(name, transcript)
    for step, result in zip(transcript["steps"], given[name], strict=True):
        assert compared(result) == step["gives"]
        for message in step.get("hears", []):
            assert any(heard.startswith(message) for heard in result["heard"]), result["heard"]
        for line in step.get("logs", []):
            assert line in result["logged"], result["logged"]
