"""Reads the cases: scripts of one package each, in files of packages that share one environment."""

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

HERE = Path(__file__).parent
HEADING = re.compile(r"^#--- (\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    group: str
    package: str
    script: str

    def __str__(self) -> str:
        return f"{self.group}/{self.package}"


@dataclass(frozen=True)
class Group:
    """The packages of one file, which share an environment."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.stem

    @cached_property
    def cases(self) -> list[Case]:
        _, *parts = HEADING.split(self.path.read_text(encoding="utf-8"))
        return [Case(self.name, package, script) for package, script in zip(parts[::2], parts[1::2])]

    def pins(self, backend: str) -> list[str]:
        pins = self.path.with_suffix(".pins").read_text().split()
        return [pin for pin in pins if backend != "docker" or re.split(r"[=\[]", pin)[0] in SAMPLE]


GROUPS = [Group(path) for path in sorted((HERE / "cases").glob("*.txt"))]
EXCEPTIONS: dict[str, dict[str, str]] = tomllib.loads((HERE / "exceptions.toml").read_text())
"""Why packages do not work, by backend and package."""

SAMPLE: list[str] = (HERE / "docker.txt").read_text().split()
"""The packages that also run on docker."""


def cases(backend: str) -> list[Case]:
    return [case for group in GROUPS for case in group.cases if backend != "docker" or case.package in SAMPLE]
