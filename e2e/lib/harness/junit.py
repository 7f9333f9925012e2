"""JUnit reports of suites that do not use pytest."""

import itertools
import re
from pathlib import Path
from xml.sax.saxutils import quoteattr


def write_junit(path: Path, suite: str, cases: list[tuple[str, str, list[str]]], seconds: list[float] = ()) -> None:
    """Each case is its group, its name and its problems; no problem is a pass."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f"<testsuite name={quoteattr(suite)}>"]
    for (group, name, problems), taken in itertools.zip_longest(cases, seconds, fillvalue=0):
        problem = re.sub(r"[^\t\n\x20-\x7e]", "?", "; ".join(problems))
        failure = f"<failure message={quoteattr(problem)}/>" if problems else ""
        attributes = f'classname="{suite}.{group}" name={quoteattr(name)} time="{taken:.1f}"'
        lines.append(f"<testcase {attributes}>{failure}</testcase>")
    path.write_text("\n".join([*lines, "</testsuite>"]) + "\n")
