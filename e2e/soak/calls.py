"""The kinds of calls that agents make. Each makes one and asserts all that this kind must give.

Whatever comes back carries a token that no other call has: an answer to another call would be seen.
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

# Long enough for the slowest install on a busy machine: what takes longer is lost.
ANSWER_SECONDS = 240
SMALL = ["six", "idna", "certifi", "attrs", "packaging", "click", "toml", "tomli", "colorama", "zipp", "pluggy", "iniconfig"]
KNOWN_SETS = [list(each) for each in itertools.islice(itertools.combinations(SMALL, 2), 6)]
NEW_SETS = [list(each) for each in itertools.combinations(SMALL, 4)]
MEMORY = "256m"
PROCESSES = 64
# A control group holds the supervisor and its bridges too, and so is a little wider than what was asked for.
OWN_PROCESSES = 64


@dataclass(frozen=True)
class Ticket:
    """One call of the run: its number decides everything about it."""

    seed: int
    number: int

    @property
    def token(self) -> str:
        return f"soak-{self.seed}-{self.number}"

    @property
    def random(self) -> random.Random:
        return random.Random(self.token)


class CutOff(AssertionError):
    """The server says that it had to end first."""


def ran(result: ToolResult, status: str = "ok", saying: str = "") -> ToolResult:
    """Like expect; what came instead goes with the failure."""
    if result.status == "cancelled":
        raise CutOff(result.text)
    try:
        result.expect(status)
        assert saying in result.text, result.text
        return result
    except AssertionError as failure:
        failure.result = result
        raise


def run(server: Server, script: str, status: str = "ok", saying: str = "", **arguments) -> ToolResult:
    return ran(server.run(script, ANSWER_SECONDS, **arguments), status, saying)


def told(server: Server, tool: str, arguments: dict) -> str:
    """What a tool says that answers with text, and may not have come to an answer."""
    result = server.call(tool, arguments, ANSWER_SECONDS)
    if result.is_error and result.text.startswith("Cancelled"):
        raise CutOff(result.text)
    if result.is_error or "was not checked" in result.text:
        failure = AssertionError(result.text)
        failure.result = result
        raise failure
    return result.text


def said(result: ToolResult, expected: str) -> None:
    assert result.stdout == expected, f"printed {result.stdout[:200]!r}, not {expected[:200]!r}"


def hello(server: Server, ticket: Ticket) -> None:
    said(run(server, f"print('{ticket.token}')"), f"{ticket.token}\n")


def six(server: Server, ticket: Ticket) -> None:
    result = run(server, f"import six\nprint(six.__version__, '{ticket.token}')", dependencies=["six==1.17.0"])
    said(result, f"1.17.0 {ticket.token}\n")


def _import_all(server: Server, ticket: Ticket, names: list[str]) -> None:
    modules = [{"attrs": "attr"}.get(name, name) for name in names]
    script = f"import {', '.join(modules)}\nprint(len([{', '.join(modules)}]), '{ticket.token}')"
    said(run(server, script, dependencies=names), f"{len(names)} {ticket.token}\n")


def known_set(server: Server, ticket: Ticket) -> None:
    _import_all(server, ticket, ticket.random.choice(KNOWN_SETS))


def new_set(server: Server, ticket: Ticket) -> None:
    _import_all(server, ticket, ticket.random.choice(NEW_SETS))


def numpy(server: Server, ticket: Ticket) -> None:
    script = f"import numpy as np\nprint(np.arange({ticket.number + 1}).sum(), '{ticket.token}')"
    expected = ticket.number * (ticket.number + 1) // 2
    said(run(server, script, dependencies=["numpy==2.3.4"], timeout_seconds=120), f"{expected} {ticket.token}\n")


def pandas(server: Server, ticket: Ticket) -> None:
    script = f"import pandas as pd\nprint(pd.Series(['{ticket.token}'] * 3).str.len().sum())"
    result = run(server, script, dependencies=["pandas==2.2.3", "numpy==2.3.4"], timeout_seconds=120)
    said(result, f"{3 * len(ticket.token)}\n")


def plot(server: Server, ticket: Ticket) -> None:
    script = (
        "import matplotlib.pyplot as plt\n"
        f"plt.plot([1, {ticket.number}, 2])\nplt.title('{ticket.token}')\nplt.show()\nprint('{ticket.token}')"
    )
    result = run(server, script, dependencies=["matplotlib==3.10.7", "numpy==2.3.4"], timeout_seconds=120)
    said(result, f"{ticket.token}\n")
    images = [base64.b64decode(item["data"]) for item in result.raw["content"] if item["type"] == "image"]
    assert len(images) == 1 and images[0].startswith(b"\x89PNG\r\n\x1a\n"), f"{len(images)} images"


def files(server: Server, ticket: Ticket) -> None:
    given = {"in.txt": ticket.token, "deep/in.bin": {"base64": base64.b64encode(ticket.token.encode()).decode()}}
    script = "text = open('in.txt').read() + open('deep/in.bin').read()\nopen('out.txt', 'w').write(text)"
    made = run(server, script, files=given).structured["files"]
    assert [(file["name"], file["text"]) for file in made] == [("out.txt", ticket.token * 2)], str(made)


def kept_file(server: Server, ticket: Ticket) -> None:
    """Too large to be shown, so that a server with --keep-files keeps it."""
    result = run(server, f"open('{ticket.token}.bin', 'wb').write(bytes(range(256)) * 800)")
    assert [file["name"] for file in result.structured["files"]] == [f"{ticket.token}.bin"]


def variables(server: Server, ticket: Ticket) -> None:
    found = run(server, f"answer = '{ticket.token}'\nother = 1", variables=["answer"]).structured["variables"]
    assert list(found) == ["answer"] and ticket.token in str(found["answer"]), str(found)


def large_output(server: Server, ticket: Ticket) -> None:
    script = f"print('{ticket.token}')\nfor _ in range(3000): print('x' * 1000)\nprint('{ticket.token} ends')"
    result = run(server, script)
    assert result.structured["stdout_truncated"], "3 MB were not cut"
    assert result.stdout.startswith(f"{ticket.token}\n") and result.stdout.endswith(f"{ticket.token} ends\n")
    assert len(result.stdout) < 200_000, f"{len(result.stdout)} characters"


def traceback(server: Server, ticket: Ticket) -> None:
    result = run(server, f"import math\n\nraise ValueError('{ticket.token}')", "script_error")
    assert result.exit_code == 1 and 'script.py", line 3' in result.stderr, result.stderr
    assert result.stderr.rstrip().endswith(f"ValueError: {ticket.token}"), result.stderr


def syntax_error(server: Server, ticket: Ticket) -> None:
    result = run(server, f"print('{ticket.token}'", "script_error")
    assert "SyntaxError" in result.stderr and ticket.token in result.stderr, result.stderr


def exit_code(server: Server, ticket: Ticket) -> None:
    result = run(server, f"import sys\nprint('{ticket.token}')\nsys.exit(3)", "script_error")
    said(result, f"{ticket.token}\n")
    assert result.exit_code == 3, f"exit code {result.exit_code}"


def killed(server: Server, ticket: Ticket) -> None:
    script = f"import os\nprint('{ticket.token}', flush=True)\nos.kill(os.getpid(), 9)"
    result = run(server, script, "script_error")
    said(result, f"{ticket.token}\n")
    assert result.exit_code == 137, f"exit code {result.exit_code}"


def timeout(server: Server, ticket: Ticket) -> None:
    seconds = ticket.random.choice([1, 2])
    result = run(server, sleeping_with_child(ticket.token), "timed_out", timeout_seconds=seconds)
    # On a machine with dozens of processes for each processor it may not have come that far.
    assert result.stdout in ("", "started\n"), f"printed {result.stdout[:200]!r}"
    taken = result.structured["duration_ms"]
    assert seconds * 1000 <= taken < seconds * 1000 + 10_000, f"{taken} ms"


def _cancelled(server: Server, arguments: dict, seconds: float) -> None:
    pending = server.start_call("execute_python", {**arguments, "timeout_seconds": 120})
    time.sleep(seconds)
    if pending.done():  # the end of the server, or what stands in the way of every call
        ran(server.tool_result(pending), "no answer")
    server.cancel(pending)


def cancel(server: Server, ticket: Ticket) -> None:
    _cancelled(server, {"script": sleeping_with_child(ticket.token)}, ticket.random.uniform(0, 1.5))


def cancel_installing(server: Server, ticket: Ticket) -> None:
    wanted = ticket.random.choice(NEW_SETS)
    arguments = {"script": sleeping_with_child(ticket.token), "dependencies": wanted}
    _cancelled(server, arguments, ticket.random.uniform(0, 0.5))


def out_of_memory(server: Server, ticket: Ticket) -> None:
    script = f"print('{ticket.token}', flush=True)\nkept = []\nwhile True: kept.append(b'x' * (1 << 22))"
    said(run(server, script, "out_of_memory", timeout_seconds=120), f"{ticket.token}\n")


def many_processes(server: Server, ticket: Ticket) -> None:
    """As many as it may have, each in a session of its own; all end with it."""
    script = (
        marked_child(ticket.token)
        + "import os\ncount = 0\ntry:\n"
        + "    while count < 1000:\n        if os.fork() == 0:\n            os.setsid()\n            time.sleep(300)\n"
        + "        count += 1\nexcept OSError: pass\n"
        + f"print(0 < count <= {PROCESSES + OWN_PROCESSES}, '{ticket.token}', flush=True)\nos._exit(0)\n"
    )
    said(run(server, script), f"True {ticket.token}\n")


def no_such_package(server: Server, ticket: Ticket) -> None:
    run(server, "print('ran')", "install_failed", saying=ticket.token, dependencies=[f"no-such-{ticket.token}"])


def bad_metadata(server: Server, ticket: Ticket) -> None:
    block = with_metadata(f'dependencies = ["{ticket.token}"]', "")
    run(server, f"{block}\n{block}\nprint('ran')", "invalid_script")


def bad_arguments(server: Server, ticket: Ticket) -> None:
    wrong = ticket.random.choice(
        [{}, {"script": 5}, {"script": "1", "dependencies": 7}, {"script": "1", "files": {"../up.txt": "x"}}]
    )
    result = server.call("execute_python", wrong, ANSWER_SECONDS)
    assert result.is_error and any(word in result.text for word in ("script", "dependencies", "files")), result.text


def bad_line(server: Server, ticket: Ticket) -> None:
    server.send_raw(b'{"jsonrpc": "2.0", "id": 1, \n')
    answer = server.next_unclaimed(ANSWER_SECONDS)
    assert answer["id"] is None and answer["error"]["code"] == -32700, str(answer)


def ping(server: Server, ticket: Ticket) -> None:
    server.request("ping", timeout=ANSWER_SECONDS)


def tools(server: Server, ticket: Ticket) -> None:
    assert len(server.request("tools/list", {}, timeout=ANSWER_SECONDS)["tools"]) == 3


def validate(server: Server, ticket: Ticket) -> None:
    arguments = {"script": "print(1)", "dependencies": [f"{ticket.token}==1.0"]}
    lines = told(server, "validate_script", arguments).splitlines()
    assert lines[0] == "VALID" and f"  - {ticket.token}==1.0" in lines, str(lines)


def validate_invalid(server: Server, ticket: Ticket) -> None:
    line = ticket.random.randint(2, 400)
    script = "x = 1\n" * (line - 1) + "def broken(:\n    pass\n"
    first = told(server, "validate_script", {"script": script}).splitlines()[0]
    assert first.startswith("INVALID: ") and f"line {line}" in first, first


def check_environment(server: Server, ticket: Ticket) -> None:
    text = told(server, "check_environment", {})
    assert "Python version: 3." in text and "Sandbox status: " in text, text


Kind = Callable[[Server, Ticket], None]

# How often each is drawn, of about 130; the first groups fit every server.
ANYWHERE: dict[Kind, int] = {
    hello: 34, six: 14, known_set: 9, new_set: 3, files: 7, kept_file: 2, variables: 4, large_output: 3,
    traceback: 9, syntax_error: 3, exit_code: 6, killed: 2, timeout: 4, cancel: 5, cancel_installing: 1,
    no_such_package: 2, bad_metadata: 3, bad_arguments: 4, bad_line: 2, ping: 3, tools: 2,
    validate: 5, validate_invalid: 3, check_environment: 1,
}  # fmt: skip
WALLED: dict[Kind, int] = {out_of_memory: 2, many_processes: 2}
LARGE: dict[Kind, int] = {numpy: 4, pandas: 2, plot: 2}
