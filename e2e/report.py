"""Prints the closing table from JUnit reports: usage: report.py [SUITE=GLOB ...]

A suite without a report counts as one failure: whatever should have written it did not get that far.
What failed is named below the table, so that the end of a log tells it. Ends with `N passed, M failed` and the exit code that belongs to it.
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
    """The first words on what went wrong with it, in one line."""
    found = next(element for element in case if element.tag in ("failure", "error"))
    return " ".join((found.get("message") or found.text or "").split())[:SHOWN_CHARACTERS]


def failures(pattern: str) -> list[str]:
    paths = sorted(glob.glob(pattern))
    cases = [case for path in paths for case in ElementTree.parse(path).iter("testcase")]
    return [f"{case.get('name')}: {failure(case)}" for case in cases if outcome(case) == "failed"] if paths else ["no report"]


def counted(pattern: str) -> dict[str, Counter]:
    """The outcomes by backend; a test that failed and then could not be cleaned up is one failure."""
    rows: dict[str, dict[tuple, str]] = defaultdict(dict)
    for path in glob.glob(pattern):
        for case in ElementTree.parse(path).iter("testcase"):
            name = case.get("name", "")
            backend = found[1] if (found := BACKEND.search(name)) else "-"
            key = (path, case.get("classname"), name)
            if rows[backend].get(key) != "failed":
                rows[backend][key] = outcome(case)
    return {backend: Counter(cases.values()) for backend, cases in sorted(rows.items())} or {"-": Counter(failed=1)}


def main(arguments: list[str]) -> int:
    total: Counter = Counter()
    failed: list[str] = []
    print(f"\n{'suite':<34}{'backend':<10}" + "".join(f"{word:>9}" for word in OUTCOMES))
    for suite, _, pattern in (argument.partition("=") for argument in arguments):
        failed += [f"{suite}: {line}" for line in failures(pattern)]
        for backend, counts in counted(pattern).items():
            total += counts
            print(f"{suite:<34}{backend:<10}" + "".join(f"{counts[word]:>9}" for word in OUTCOMES))
    print("".join(f"\nFAILED {line}" for line in failed[:SHOWN_FAILURES]))
    skipped = f", {total['skipped']} skipped" if total["skipped"] else ""
    print(f"{total['passed']} passed, {total['failed']} failed{skipped}")
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
