"""The result of a tool, parsed."""

import base64
import re
import struct
from dataclasses import dataclass

STATUSES = {
    "ok", "script_error", "timed_out", "out_of_memory", "output_limit",
    "install_failed", "invalid_script", "sandbox_unavailable", "cancelled",
}  # fmt: skip
FIELDS = {
    "status", "stdout", "stderr", "exit_code", "duration_ms", "install_ms", "timed_out", "stdout_bytes",
    "stderr_bytes", "stdout_truncated", "stderr_truncated", "variables", "files", "python_version", "sandbox",
    "network", "hint", "value", "warnings", "cpu_ms", "peak_memory_bytes",
}  # fmt: skip
SECTION_ORDER = [
    "stdout", "stderr", "exit_code", "duration_ms", "timed_out",
    "install_ms", "value", "variables", "files", "hint", "warning",
]  # fmt: skip

_LINE = re.compile(r"^--- (?P<name>[a-z_]+)(?:: (?P<value>.*))? ---$")


def png_size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n"), "not a PNG"
    return struct.unpack(">II", png[16:24])


@dataclass(frozen=True)
class Section:
    name: str
    value: str | None
    body: str


class ToolResult:
    """The result of a tools/call."""

    def __init__(self, result: dict):
        self.raw = result

    @property
    def is_error(self) -> bool:
        return bool(self.raw.get("isError", False))

    @property
    def text(self) -> str:
        first = self.raw["content"][0]
        assert first["type"] == "text", f"the first content item is not text: {first}"
        return first["text"]

    @property
    def structured(self) -> dict:
        assert "structuredContent" in self.raw, f"no structuredContent in {self.raw}"
        return self.raw["structuredContent"]

    @property
    def status(self) -> str:
        return self.structured["status"]

    @property
    def stdout(self) -> str:
        return self.structured["stdout"]

    @property
    def stderr(self) -> str:
        return self.structured["stderr"]

    @property
    def exit_code(self) -> int:
        return self.structured["exit_code"]

    @property
    def images(self) -> list[bytes]:
        found = [item for item in self.raw["content"] if item["type"] == "image"]
        assert all(item["mimeType"] == "image/png" for item in found)
        return [base64.b64decode(item["data"]) for item in found]

    @property
    def warnings(self) -> str:
        return "\n".join(self.structured.get("warnings") or [])

    def sections(self) -> list[Section]:
        """The text split at its headings; wrong if the script prints headings itself."""
        found: list[Section] = []
        for line in self.text.splitlines():
            heading = _LINE.match(line)
            if heading and heading["name"] in SECTION_ORDER:
                found.append(Section(heading["name"], heading["value"], ""))
            elif found:
                last = found[-1]
                found[-1] = Section(last.name, last.value, f"{last.body}\n{line}" if last.body else line)
        return found

    def section(self, name: str) -> Section:
        matching = [section for section in self.sections() if section.name == name]
        assert matching, f"no section {name} in:\n{self.text}"
        return matching[0]

    def section_names(self) -> list[str]:
        return [section.name for section in self.sections()]

    def expect(self, status: str) -> "ToolResult":
        """Checks that the status is this one and isError agrees with it; returns this result."""
        assert self.status == status, f"status {self.status}, expected {status}:\n{self.text}"
        prevented = status in ("install_failed", "invalid_script", "sandbox_unavailable")
        assert self.is_error == prevented, f"isError {self.is_error} with status {status}"
        return self

    def __str__(self) -> str:
        return self.text
