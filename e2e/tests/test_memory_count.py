"""The supervisor's count of memory, which limits scripts where there is no control group."""

import io
import zipfile

import pytest

pytestmark = pytest.mark.any_backend


@pytest.fixture
def memory(installation):
    """What memory.py of the packaged JAR defines."""
    source = zipfile.ZipFile(installation.jar).read("dev/pysandbox/supervisor/memory.py")
    scope = {"__name__": "memory", "tree": lambda root: [], "SCRATCH": ()}
    exec(compile(source, "memory.py", "exec"), scope)
    return scope


class Endless(io.RawIOBase):
    """An endless list of mappings; reading all of it fails."""

    left = 1 << 26

    def readable(self):
        return True

    def readinto(self, buffer):
        self.left -= len(buffer)
        assert self.left > 0, "read without a bound"
        line = b"7f0000000000-7f0000001000 r--p 00000000 00:00 0\n"
        buffer[:] = (line * (len(buffer) // len(line) + 1))[: len(buffer)]
        return len(buffer)


def endless(path, mode="r", **options):
    stream = io.BufferedReader(Endless())
    return stream if "b" in mode else io.TextIOWrapper(stream, **options)


def test_a_list_of_mappings_is_read_up_to_a_bound(memory):
    memory["open"] = endless
    assert memory["has_shared_anonymous"]("1"), "a list that is too long counts as having some"


def test_what_is_shared_is_compared_with_how_it_was_before_the_script(memory):
    """The supervisor asks the machine first, then lets the script begin."""
    figures = {"Shmem": 1000, "SUnreclaim": 100}
    count = memory["Count"](1, (1000 << 10, 100 << 10))
    memory["lines"] = lambda path: [f"{name}: {kib} kB" for name, kib in figures.items()]
    memory["has_shared_anonymous"] = lambda pid: True
    assert count.hidden(["5"], 200 << 10) == 0
    figures["Shmem"] += 150
    assert count.hidden(["5"], 200 << 10) == 150 << 10
    memory["has_shared_anonymous"] = lambda pid: False
    assert count.hidden(["5"], 200 << 10) == 0, "it is another program's"
