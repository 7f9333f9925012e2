"""Prints the table of the survey at the end."""

import pytest

TABLE = pytest.StashKey[list]()
"""Rows of text that the suite adds."""


def pytest_terminal_summary(terminalreporter, config):
    for row in config.stash.get(TABLE, []):
        terminalreporter.write_line(row)
