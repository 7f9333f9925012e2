"""The scripts of the fidelity suite: sections of the files in cases/, each `#--- name` or `#--- name | dependency`."""

import re
from dataclasses import dataclass
from pathlib import Path

_HEADING = re.compile(r"^#--- (?P<name>\S+)(?: \| (?P<dependency>\S+))?\n", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    name: str
    script: str
    dependencies: tuple[str, ...]

    def __str__(self) -> str:
        return self.name


def read_cases() -> list[Case]:
    found = []
    for path in sorted((Path(__file__).parent / "cases").glob("*.txt")):
        text = path.read_text("utf-8")
        headings = list(_HEADING.finditer(text))
        for heading, following in zip(headings, [*headings[1:], None]):
            script = text[heading.end() : following.start() if following else None]
            dependencies = (heading["dependency"],) if heading["dependency"] else ()
            found.append(Case(heading["name"], script, dependencies))
    # Bytes that a text file cannot contain.
    found += [
        Case("byte-order-mark", "\ufeffprint('after the mark')\n1/0\n", ()),
        Case("windows-line-ends", "print(1)\r\nif True:\r\n    raise ValueError('x')\r\n", ()),
        Case("old-mac-line-ends", "print(1)\rprint(2)\r", ()),
        Case("no-newline-at-end", "print('end')", ()),
        Case("form-feed", "print(1)\n\x0c\nprint(2)\n", ()),
        Case("latin-1-cookie-in-utf-8", "# -*- coding: latin-1 -*-\nprint('ů')\n", ()),
        Case("unknown-cookie", "# coding: no-such-codec\nprint(1)\n", ()),
        Case("empty", "", ()),
    ]
    names = [case.name for case in found]
    assert len(names) == len(set(names)), "two cases have the same name"
    return found
