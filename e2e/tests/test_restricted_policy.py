"""The restricted policy: what it allows, what it refuses, and that the sandbox still isolates what gets past it."""

import json
import re
from pathlib import Path

import pytest

pytestmark = [pytest.mark.native_only, pytest.mark.any_backend]
ESCAPES = Path(__file__).with_name("data") / "jail_escapes.txt"

MODULES = {
    "math": "math.factorial(5) == 120",
    "cmath": "cmath.sqrt(-1) == 1j",
    "decimal": "decimal.Decimal('0.1') + decimal.Decimal('0.2') == decimal.Decimal('0.3')",
    "fractions": "fractions.Fraction(1, 3) + fractions.Fraction(1, 6) == fractions.Fraction(1, 2)",
    "statistics": "statistics.median([1, 2, 9]) == 2",
    "json": "json.loads(json.dumps({'a': [1]})) == {'a': [1]}",
    "re": "re.sub('a+', 'b', 'caaat') == 'cbt'",
    "string": "string.Template('$x').substitute(x=1) == '1' and string.capwords('a b') == 'A B'",
    "textwrap": "textwrap.dedent('  a') == 'a'",
    "unicodedata": "unicodedata.name('é') == 'LATIN SMALL LETTER E WITH ACUTE'",
    "difflib": "difflib.get_close_matches('appel', ['ape', 'apple'])[0] == 'apple'",
    "datetime": "(datetime.date(2024, 3, 1) - datetime.timedelta(1)).day == 29",
    "calendar": "calendar.isleap(2024)",
    "collections": "collections.namedtuple('P', 'x y')(1, 2).y == 2 and collections.Counter('aab')['a'] == 2",
    "itertools": "list(itertools.accumulate([1, 2, 3])) == [1, 3, 6]",
    "functools": "functools.reduce(lambda a, b: a * b, [1, 2, 3]) == 6",
    "operator": "operator.itemgetter(1)([5, 6]) == 6",
    "enum": "enum.Enum('Colour', 'RED GREEN').GREEN.value == 2",
    "dataclasses": "dataclasses.asdict(dataclasses.make_dataclass('P', ['x'])(3)) == {'x': 3}",
    "typing": "typing.get_args(typing.Optional[int])[0] is int",
    "copy": "copy.deepcopy([[1]]) == [[1]]",
    "hashlib": "hashlib.sha256(b'').hexdigest().startswith('e3b0c442')",
    "base64": "base64.b64decode(base64.b64encode(b'x')) == b'x'",
    "random": "random.Random(1).randint(1, 6) in range(1, 7)",
    "uuid": "uuid.uuid5(uuid.NAMESPACE_DNS, 'a').version == 5",
    "struct": "struct.unpack('<H', b'\\x01\\x02') == (513,)",
    "pprint": "pprint.pformat({'a': 1}) == \"{'a': 1}\"",
}  # fmt: skip

CLASSES = '''
import collections.abc, dataclasses, enum, functools
from collections import OrderedDict, abc
from typing import NamedTuple

@dataclasses.dataclass(order=True, frozen=True)
class Point:
    """Has __init__ made for it."""
    x: int
    y: int = 0

class Colour(enum.Enum):
    RED = 1

class Pair(NamedTuple):
    a: int

class Base:
    def __init__(self, value):
        self.value = value

class Derived(Base):
    def __init__(self, value):
        super().__init__(value)
    def __len__(self):
        return self.value

@functools.lru_cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

if __name__ == "__main__":
    print(Point(1) < Point(2), Colour.RED.name, Pair(3).a, len(Derived(4)), fib(30), isinstance([], abc.Sequence),
          isinstance((), collections.abc.Sequence), type(1) is int, f"{1/3:.2f}")
'''


@pytest.fixture(scope="module")
def restricted(installation, backend):
    with installation.start("--policy=restricted", backend=backend) as server:
        server.initialize()
        yield server


def escapes():
    text = ESCAPES.read_text(encoding="utf-8").split("\n\n", 1)[1]
    for part in re.split(r"^== ", text, flags=re.M)[1:]:
        heading, script = part.split("\n", 1)
        title, fate = heading.rsplit(": ", 1)
        yield pytest.param(script, fate, id=title.replace(" ", "-"))


def test_there_are_enough_of_them():
    assert len(list(escapes())) >= 60


@pytest.mark.parametrize("script, fate", list(escapes()))
def test_escapes(restricted, backend, script, fate):
    result = restricted.run(script)
    out, err = result.structured["stdout"], result.structured["stderr"]
    if fate == "past":
        assert "ESCAPED" in out, err
    else:
        assert "ESCAPED" not in out
        assert result.structured["exit_code"] != 0
        assert ("nothing of it was run" in err) == (fate == "refused"), err
    # A script that gets past the policy is still in the sandbox.
    assert backend == "none" or "OUTSIDE" not in out


@pytest.mark.parametrize("module", MODULES)
def test_each_module_of_the_list_works(restricted, module):
    result = restricted.run(f"import {module}\nprint({MODULES[module]})")
    assert result.structured["stdout"] == "True\n", result.structured["stderr"]


def test_the_list_has_27_modules():
    assert len(MODULES) == 27


def test_classes_work(restricted):
    result = restricted.run(CLASSES)
    assert result.structured["stdout"] == "True RED 3 4 832040 True True True 0.33\n", result.structured["stderr"]


def test_every_violation_is_named_with_its_line(restricted):
    result = restricted.run("x = 1\nimport os\n\nfrom sys import path\nprint(eval('1'))\n")
    lines = result.structured["stderr"].splitlines()
    assert lines[0].startswith("script.py:2: 'import os' is not allowed")
    assert lines[1].startswith("script.py:4: 'import sys' is not allowed")
    assert lines[2] == "script.py:5: 'eval' is not allowed"
    assert result.structured["exit_code"] == 1


def test_tracebacks_keep_their_lines(restricted):
    err = restricted.run("def f():\n    return 1 / 0\n\nf()\n").structured["stderr"]
    assert 'script.py", line 4, in <module>' in err and 'script.py", line 2, in f' in err
    assert "restricted" not in err


def test_syntax_errors_are_pythons_own(restricted):
    err = restricted.run("x = 1\ndef broken(:\n").structured["stderr"]
    assert "SyntaxError" in err and "line 2" in err


def test_dependencies_are_refused(restricted):
    result = restricted.run("print(1)", dependencies=["six"])
    assert result.structured["status"] == "invalid_script"
    assert "restricted policy" in result.text and "six" in result.text


def test_validate_names_every_violation(restricted):
    text = restricted.call("validate_script", {"script": "import os\n\nprint(open('x'))"}).text
    lines = text.splitlines()
    assert lines[0].startswith("INVALID: line 1: 'import os' is not allowed")
    assert lines[1] == "  line 3: 'open' is not allowed"
    assert restricted.call("validate_script", {"script": "import math"}).text.startswith("VALID")


def test_timeout_is_at_most_a_minute(restricted):
    result = restricted.run("print(1)", timeout_seconds=100)
    assert "outside 1 to 60" in " ".join(result.structured["warnings"])


def test_output_is_cut_at_64_kib(restricted):
    result = restricted.run("print('x' * 100_000)").structured
    assert result["stdout_truncated"] and len(result["stdout"]) < 66_000


def test_memory_is_256_mb(restricted):
    result = restricted.run("x = bytearray(400 << 20)\nfor i in range(10**9): pass").structured
    assert result["status"] == "out_of_memory", result


@pytest.mark.parametrize("option", ["--max-memory=2g", "--max-timeout=61", "--max-output-bytes=300000"])
def test_maxima(installation, option):
    ended = installation.command_line("--policy=restricted", option, "run", "print(1)")
    assert ended.returncode == 2 and b"with --policy restricted" in ended.stderr


def test_on_the_command_line(installation, backend):
    def run(*arguments):
        return installation.command_line(*installation.options(backend), "--policy=restricted", "run", *arguments)

    shown = run("-v", "x", "-v", "y", "x = 42; y = [1, 2, 3]")
    assert shown.stdout.decode().splitlines() == ["x = 42", "y = [1, 2, 3]"]
    refused = run("import os")
    assert refused.returncode == 1 and b"script.py:1: 'import os' is not allowed" in refused.stderr
    result = json.loads(run("--json", "-m", "1g", "print(len(bytearray(400 << 20)))").stdout)
    assert result["stdout"] == "419430400\n"
