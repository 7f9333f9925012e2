"""JUnit reports of what was tried without pytest."""

import re
from pathlib import Path
from xml.sax.saxutils import quoteattr


def write_junit(path: Path, suite: str, cases: list[tuple[str, str, list[str]]]) -> None:
    """Each case is its group, its name and what is wrong with it; nothing wrong is a pass."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f"<testsuite name={quoteattr(suite)}>"]
    for group, name, problems in cases:
        problem = re.sub(r"[^\t\n\x20-\x7e]", "?", "; ".join(problems))
        failure = f"<failure message={quoteattr(problem)}/>" if problems else ""
        lines.append(f'<testcase classname="{suite}.{group}" name={quoteattr(name)}>{failure}</testcase>')
    path.write_text("\n".join([*lines, "</testsuite>"]) + "\n")
