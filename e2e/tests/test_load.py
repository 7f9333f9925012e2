"""Two hundred calls in one server, sixteen at a time."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.survivors import SETTLE_SECONDS

pytestmark = pytest.mark.as_user

MEGABYTE = 1 << 20


def one_call(server, number: int) -> None:
    script = f"import six\nprint({number} * 2)"
    dependencies = ["six==1.17.0"] if number % 2 else ["six==1.16.0"]
    result = server.run(script, timeout=180, dependencies=dependencies, timeout_seconds=60).expect("ok")
    assert result.stdout == f"{number * 2}\n"


@pytest.mark.slow
@pytest.mark.any_backend
def test_all_are_answered_and_nothing_grows(start, installation):
    # Without warm sandboxes, whose number varies, and with the flags of mcp-config.
    server = start("--warm-pool=0", java_options=installation.client_flags())
    for number in range(10):
        one_call(server, number)
    memory, before = server.resident_bytes(), server.whereabouts.snapshot()
    processes = server.whereabouts.process_count()
    with ThreadPoolExecutor(16) as callers:
        list(callers.map(lambda number: one_call(server, number), range(200)))
    after_settling(server, before, processes)
    assert (grown := growth_after_settling(server, memory)) <= 30, f"the server's memory grew by {grown:.0f} MB"
    server.close()
    assert server.whereabouts.process_count() == 0
    assert not list(server.whereabouts.temporary.iterdir())


def growth_after_settling(server, memory: int) -> float:
    """The server collects garbage after the last response."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while (grown := (server.resident_bytes() - memory) / MEGABYTE) > 30 and time.monotonic() < deadline:
        time.sleep(0.5)
    return grown


def after_settling(server, before, processes: int) -> None:
    """Warm sandboxes are used and replaced: their names may change, their number may not grow."""
    places = server.whereabouts
    deadline = time.monotonic() + SETTLE_SECONDS
    while True:
        now = places.snapshot()
        more = [item for item in now.added_since(before) if not item.startswith(("processes", "temporary"))]
        if len(now.temporary) > len(before.temporary):
            more += sorted(now.temporary - before.temporary)
        if len(now.processes) > processes:
            more += sorted(now.processes - before.processes)
        if not more or time.monotonic() > deadline:
            break
        time.sleep(0.2)
    assert not more, f"left behind: {more}"
