"""The kinds of calls that agents make. Each function makes one call and checks its result.

Each call has a unique token, which the result must contain: a response to another call is detected.
"""

import base64
import itertools
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from harness.results import ToolResult
from harness.scripts import marked_child, sleeping_with_child, with_metadata
from harness.server import Server

# Long enough for the slowest install on a busy machine. A call that takes longer has failed.
ANSWER_SECONDS = 240
SMALL = ["six", "idna", "certifi", "attrs", "packaging", "click", "toml", "tomli", "colorama", "zipp", "pluggy", "iniconfig"]
KNOWN_SETS = [list(each) for each in itertools.islice(itertools.combinations(SMALL, 2), 6)]
NEW_SETS = [list(each) for each in itertools.combinations(SMALL, 4)]
MEMORY = "256m"
PROCESSES = 64
# A control group also contains the supervisor and its helpers, so its limit is higher than --max-processes.
OWN_PROCESSES = 64


@dataclass(frozen=True)
class PlannedCall:
    """One call of the run; seed and number determine its arguments."""

    seed: int
    number: int

    @property
    def token(self) -> str:
        return f"soak-{self.seed}-{self.number}"

    @property
    def random(self) -> random.Random:
        return random.Random(self.token)


class ServerEnded(AssertionError):
    """The call was cancelled because its server shut down."""


def expect_result(result: ToolResult, status: str = "ok", saying: str = "") -> ToolResult:
    """Like ToolResult.expect; the failure has the actual result as an attribute."""
    if result.status == "cancelled":
        raise ServerEnded(result.text)
    try:
        result.expect(status)
        assert saying in result.text, result.text
        return result
    except AssertionError as failure:
        failure.result = result
        raise


def run(server: Server, script: str, status: str = "ok", saying: str = "", **arguments) -> ToolResult:
    return expect_result(server.run(script, ANSWER_SECONDS, **arguments), status, saying)


def text_of(server: Server, tool: str, arguments: dict) -> str:
    """Calls a tool that returns text, and fails if it could not do its work."""
    result = server.call(tool, arguments, ANSWER_SECONDS)
    if result.is_error and result.text.startswith("Cancelled"):
        raise ServerEnded(result.text)
    if result.is_error or "was not checked" in result.text:
        failure = AssertionError(result.text)
        failure.result = result
        raise failure
    return result.text


def expect_stdout(result: ToolResult, expected: str) -> None:
    assert result.stdout == expected, f"printed {result.stdout[:200]!r}, not {expected[:200]!r}"


def hello(server: Server, planned: PlannedCall) -> None:
    expect_stdout(run(server, f"print('{planned.token}')"), f"{planned.token}\n")


def six(server: Server, planned: PlannedCall) -> None:
    result = run(server, f"import six\nprint(six.__version__, '{planned.token}')", dependencies=["six==1.17.0"])
    expect_stdout(result, f"1.17.0 {planned.token}\n")


def _import_all(server: Server, planned: PlannedCall, names: list[str]) -> None:
    modules = [{"attrs": "attr"}.get(name, name) for name in names]
    script = f"import {', '.join(modules)}\nprint(len([{', '.join(modules)}]), '{planned.token}')"
    expect_stdout(run(server, script, dependencies=names), f"{len(names)} {planned.token}\n")


def known_set(server: Server, planned: PlannedCall) -> None:
    _import_all(server, planned, planned.random.choice(KNOWN_SETS))


def new_set(server: Server, planned: PlannedCall) -> None:
    _import_all(server, planned, planned.random.choice(NEW_SETS))


def numpy(server: Server, planned: PlannedCall) -> None:
    script = f"import numpy as np\nprint(np.arange({planned.number + 1}).sum(), '{planned.token}')"
    expected = planned.number * (planned.number + 1) // 2
    result = run(server, script, dependencies=["numpy==2.3.4"], timeout_seconds=120)
    expect_stdout(result, f"{expected} {planned.token}\n")


def pandas(server: Server, planned: PlannedCall) -> None:
    script = f"import pandas as pd\nprint(pd.Series(['{planned.token}'] * 3).str.len().sum())"
    result = run(server, script, dependencies=["pandas==2.2.3", "numpy==2.3.4"], timeout_seconds=120)
    expect_stdout(result, f"{3 * len(planned.token)}\n")


def plot(server: Server, planned: PlannedCall) -> None:
    script = (
        "import matplotlib.pyplot as plt\n"
        f"plt.plot([1, {planned.number}, 2])\nplt.title('{planned.token}')\nplt.show()\nprint('{planned.token}')"
    )
    result = run(server, script, dependencies=["matplotlib==3.10.7", "numpy==2.3.4"], timeout_seconds=120)
    expect_stdout(result, f"{planned.token}\n")
    images = [base64.b64decode(item["data"]) for item in result.raw["content"] if item["type"] == "image"]
    assert len(images) == 1 and images[0].startswith(b"\x89PNG\r\n\x1a\n"), f"{len(images)} images"


def files(server: Server, planned: PlannedCall) -> None:
    given = {"in.txt": planned.token, "deep/in.bin": {"base64": base64.b64encode(planned.token.encode()).decode()}}
    script = "text = open('in.txt').read() + open('deep/in.bin').read()\nopen('out.txt', 'w').write(text)"
    made = run(server, script, files=given).structured["files"]
    assert [(file["name"], file["text"]) for file in made] == [("out.txt", planned.token * 2)], str(made)


def kept_file(server: Server, planned: PlannedCall) -> None:
    """Too large to be inlined, so a server with --keep-files keeps it."""
    result = run(server, f"open('{planned.token}.bin', 'wb').write(bytes(range(256)) * 800)")
    assert [file["name"] for file in result.structured["files"]] == [f"{planned.token}.bin"]


def variables(server: Server, planned: PlannedCall) -> None:
    found = run(server, f"answer = '{planned.token}'\nother = 1", variables=["answer"]).structured["variables"]
    assert list(found) == ["answer"] and planned.token in str(found["answer"]), str(found)


def large_output(server: Server, planned: PlannedCall) -> None:
    script = f"print('{planned.token}')\nfor _ in range(3000): print('x' * 1000)\nprint('{planned.token} ends')"
    result = run(server, script)
    assert result.structured["stdout_truncated"], "3 MB were not cut"
    assert result.stdout.startswith(f"{planned.token}\n") and result.stdout.endswith(f"{planned.token} ends\n")
    assert len(result.stdout) < 200_000, f"{len(result.stdout)} characters"


def traceback(server: Server, planned: PlannedCall) -> None:
    result = run(server, f"import math\n\nraise ValueError('{planned.token}')", "script_error")
    assert result.exit_code == 1 and 'script.py", line 3' in result.stderr, result.stderr
    assert result.stderr.rstrip().endswith(f"ValueError: {planned.token}"), result.stderr


def syntax_error(server: Server, planned: PlannedCall) -> None:
    result = run(server, f"print('{planned.token}'", "script_error")
    assert "SyntaxError" in result.stderr and planned.token in result.stderr, result.stderr


def exit_code(server: Server, planned: PlannedCall) -> None:
    result = run(server, f"import sys\nprint('{planned.token}')\nsys.exit(3)", "script_error")
    expect_stdout(result, f"{planned.token}\n")
    assert result.exit_code == 3, f"exit code {result.exit_code}"


def killed(server: Server, planned: PlannedCall) -> None:
    script = f"import os\nprint('{planned.token}', flush=True)\nos.kill(os.getpid(), 9)"
    result = run(server, script, "script_error")
    expect_stdout(result, f"{planned.token}\n")
    assert result.exit_code == 137, f"exit code {result.exit_code}"


def timeout(server: Server, planned: PlannedCall) -> None:
    seconds = planned.random.choice([1, 2])
    result = run(server, sleeping_with_child(planned.token), "timed_out", timeout_seconds=seconds)
    # On an overloaded machine the script may not have printed anything yet.
    assert result.stdout in ("", "started\n"), f"printed {result.stdout[:200]!r}"
    taken = result.structured["duration_ms"]
    assert seconds * 1000 <= taken < seconds * 1000 + 10_000, f"{taken} ms"


def _cancelled(server: Server, arguments: dict, seconds: float) -> None:
    pending = server.start_call("execute_python", {**arguments, "timeout_seconds": 120})
    time.sleep(seconds)
    if pending.done():  # the server shut down, or refuses all calls
        expect_result(server.tool_result(pending), "no answer")
    server.cancel(pending)


def cancel(server: Server, planned: PlannedCall) -> None:
    _cancelled(server, {"script": sleeping_with_child(planned.token)}, planned.random.uniform(0, 1.5))


def cancel_installing(server: Server, planned: PlannedCall) -> None:
    wanted = planned.random.choice(NEW_SETS)
    arguments = {"script": sleeping_with_child(planned.token), "dependencies": wanted}
    _cancelled(server, arguments, planned.random.uniform(0, 0.5))


def out_of_memory(server: Server, planned: PlannedCall) -> None:
    script = f"print('{planned.token}', flush=True)\nkept = []\nwhile True: kept.append(b'x' * (1 << 22))"
    expect_stdout(run(server, script, "out_of_memory", timeout_seconds=120), f"{planned.token}\n")


def many_processes(server: Server, planned: PlannedCall) -> None:
    """Starts as many processes as it can, each in its own session; all must end with the script."""
    script = (
        marked_child(planned.token)
        + "import os\ncount = 0\ntry:\n"
        + "    while count < 1000:\n        if os.fork() == 0:\n            os.setsid()\n            time.sleep(300)\n"
        + "        count += 1\nexcept OSError: pass\n"
        + f"print(0 < count <= {PROCESSES + OWN_PROCESSES}, '{planned.token}', flush=True)\nos._exit(0)\n"
    )
    expect_stdout(run(server, script), f"True {planned.token}\n")


def no_such_package(server: Server, planned: PlannedCall) -> None:
    run(server, "print('ran')", "install_failed", saying=planned.token, dependencies=[f"no-such-{planned.token}"])


def bad_metadata(server: Server, planned: PlannedCall) -> None:
    block = with_metadata(f'dependencies = ["{planned.token}"]', "")
    run(server, f"{block}\n{block}\nprint('ran')", "invalid_script")


def bad_arguments(server: Server, planned: PlannedCall) -> None:
    wrong = planned.random.choice(
        [{}, {"script": 5}, {"script": "1", "dependencies": 7}, {"script": "1", "files": {"../up.txt": "x"}}]
    )
    result = server.call("execute_python", wrong, ANSWER_SECONDS)
    assert result.is_error and any(word in result.text for word in ("script", "dependencies", "files")), result.text


def bad_line(server: Server, planned: PlannedCall) -> None:
    server.send_raw(b'{"jsonrpc": "2.0", "id": 1, \n')
    answer = server.next_unclaimed(ANSWER_SECONDS)
    assert answer["id"] is None and answer["error"]["code"] == -32700, str(answer)


def ping(server: Server, planned: PlannedCall) -> None:
    server.request("ping", timeout=ANSWER_SECONDS)


def tools(server: Server, planned: PlannedCall) -> None:
    assert len(server.request("tools/list", {}, timeout=ANSWER_SECONDS)["tools"]) == 3


def validate(server: Server, planned: PlannedCall) -> None:
    arguments = {"script": "print(1)", "dependencies": [f"{planned.token}==1.0"]}
    lines = text_of(server, "validate_script", arguments).splitlines()
    assert lines[0] == "VALID" and f"  - {planned.token}==1.0" in lines, str(lines)


def validate_invalid(server: Server, planned: PlannedCall) -> None:
    line = planned.random.randint(2, 400)
    script = "x = 1\n" * (line - 1) + "def broken(:\n    pass\n"
    first = text_of(server, "validate_script", {"script": script}).splitlines()[0]
    assert first.startswith("INVALID: ") and f"line {line}" in first, first


def check_environment(server: Server, planned: PlannedCall) -> None:
    text = text_of(server, "check_environment", {})
    assert "Python version: 3." in text and "Sandbox status: " in text, text


Kind = Callable[[Server, PlannedCall], None]

# Weights, about 130 in total. ANYWHERE fits every server, ISOLATED every backend but none.
ANYWHERE: dict[Kind, int] = {
    hello: 34, six: 14, known_set: 9, new_set: 3, files: 7, kept_file: 2, variables: 4, large_output: 3,
    traceback: 9, syntax_error: 3, exit_code: 6, killed: 2, timeout: 4, cancel: 5, cancel_installing: 1,
    no_such_package: 2, bad_metadata: 3, bad_arguments: 4, bad_line: 2, ping: 3, tools: 2,
    validate: 5, validate_invalid: 3, check_environment: 1,
}  # fmt: skip
ISOLATED: dict[Kind, int] = {out_of_memory: 2, many_processes: 2}
LARGE: dict[Kind, int] = {numpy: 4, pandas: 2, plot: 2}
