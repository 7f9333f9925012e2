"""The transcripts: for each feature, calls and the results that a client must receive.

In what is expected, … stands for anything, on one line or several.
"""

import base64
import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from clients.stub_model import Received, ToolCall

FOLDER = Path(__file__).with_name("transcripts")


@dataclass(frozen=True)
class Exchange:
    """A call and its result."""

    feature: str
    number: int
    call: ToolCall
    text: str
    structured: dict
    images: int

    def check(self, received: Received) -> None:
        """For a model that reads the content."""
        self.check_text(received.text)
        self.check_images(received.images)

    def check_preferring_structure(self, received: Received) -> None:
        """For a client that passes on the structured content instead of the text, except for errors."""
        start = received.text.find('{"')
        if start >= 0:
            self.check_structured(json.loads(received.text[start:]))
        else:
            self.check_text(received.text)
        self.check_images(received.images)

    def check_images(self, images: list[tuple[str, str]]) -> None:
        assert [kind for kind, _ in images] == ["image/png"] * self.images
        assert all(base64.b64decode(data).startswith(b"\x89PNG\r\n\x1a\n") for _, data in images)

    def check_text(self, text: str) -> None:
        # The install time depends on earlier calls.
        actual = re.sub(r"--- install_ms: \d+ ---\n", "", text)
        pattern = ".*?".join(map(re.escape, self.text.strip().split("…")))
        assert re.search(f"(?:^|\n){pattern}\\s*\\Z", actual, re.DOTALL), f"expected:\n{self.text}\n\ngot:\n{actual}"

    def check_structured(self, actual: dict) -> None:
        for name, value in self.structured.items():
            assert _fits(value, actual.get(name)), f"{name}: expected {value!r}, got {actual.get(name)!r}"


def _fits(expected: object, actual: object) -> bool:
    if isinstance(expected, str) and isinstance(actual, str):
        return re.fullmatch(".*?".join(map(re.escape, expected.split("…"))), actual, re.DOTALL) is not None
    if isinstance(expected, dict) and isinstance(actual, dict):
        return all(_fits(value, actual.get(name)) for name, value in expected.items())
    if isinstance(expected, list) and isinstance(actual, list):
        return len(expected) == len(actual) and all(map(_fits, expected, actual))
    return expected == actual


def _exchanges() -> list[Exchange]:
    return [
        Exchange(
            path.stem,
            number,
            ToolCall(call["tool"], call.get("arguments", {})),
            call["text"],
            call.get("structured", {}),
            call.get("images", 0),
        )
        for path in sorted(FOLDER.glob("*.toml"))
        for number, call in enumerate(tomllib.loads(path.read_text())["call"], 1)
    ]


EXCHANGES = _exchanges()
CALLS = [exchange.call for exchange in EXCHANGES]
NAMES = [f"{exchange.feature} {exchange.number}" for exchange in EXCHANGES]
