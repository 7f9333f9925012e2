"""Prints the closing table from JUnit reports: usage: report.py [SUITE=GLOB ...]

A suite without a report counts as one failure. The names of failed tests are printed below the table. The last line is
`N passed, M failed`; the exit code is 0 if all passed.
"""

import glob
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict

BACKEND = re.compile(r"\[(?:.*-)?(native|none|docker)(?:-.*)?\]")
OUTCOMES = ("passed", "failed", "skipped")
SHOWN_FAILURES, SHOWN_CHARACTERS = 40, 500


def outcome(case: ElementTree.Element) -> str:
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "skipped" if case.find("skipped") is not None else "passed"


def failure(case: ElementTree.Element) -> str:
    """The beginning of the failure message, in one line."""
    found = next(element for element in case if element.tag in ("failure", "error"))
    return " ".join((found.get("message") or found.text or "").split())[:SHOWN_CHARACTERS]


def cases(pattern: str) -> dict[tuple, ElementTree.Element]:
    """Each test once: one that failed and whose teardown failed too is one failure."""
    found: dict[tuple, ElementTree.Element] = {}
    for path in sorted(glob.glob(pattern)):
        for case in ElementTree.parse(path).iter("testcase"):
            key = (path, case.get("classname"), case.get("name", ""))
            if key not in found or outcome(found[key]) != "failed":
                found[key] = case
    return found


def failures(found: dict[tuple, ElementTree.Element]) -> list[str]:
    lines = [f"{name}: {failure(case)}" for (_, _, name), case in found.items() if outcome(case) == "failed"]
    return lines if found else ["no report"]


def counted(found: dict[tuple, ElementTree.Element]) -> dict[str, Counter]:
    """The outcomes by backend."""
    rows: dict[str, Counter] = defaultdict(Counter)
    for (_, _, name), case in found.items():
        rows[backend[1] if (backend := BACKEND.search(name)) else "-"][outcome(case)] += 1
    return dict(sorted(rows.items())) or {"-": Counter(failed=1)}


def main(arguments: list[str]) -> int:
    total: Counter = Counter()
    failed: list[str] = []
    print(f"\n{'suite':<34}{'backend':<10}" + "".join(f"{word:>9}" for word in OUTCOMES))
    for suite, _, pattern in (argument.partition("=") for argument in arguments):
        found = cases(pattern)
        failed += [f"{suite}: {line}" for line in failures(found)]
        for backend, counts in counted(found).items():
            total += counts
            print(f"{suite:<34}{backend:<10}" + "".join(f"{counts[word]:>9}" for word in OUTCOMES))
    print("".join(f"\nFAILED {line}" for line in failed[:SHOWN_FAILURES]))
    skipped = f", {total['skipped']} skipped" if total["skipped"] else ""
    print(f"{total['passed']} passed, {total['failed']} failed{skipped}")
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
