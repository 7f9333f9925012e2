"""The command line's options: defaults, variables, and bad values that start nothing."""

import pytest

pytestmark = pytest.mark.any_backend

BAD = [
    ("--python-version", "banana"),
    ("--python-version", "3"),
    ("--sandbox-backend", "vm"),
    ("--max-timeout", "0"),
    ("--max-timeout", "soon"),
    ("--default-timeout", "0"),
    ("--default-timeout", "301"),
    ("--max-output-bytes", "1023"),
    ("--network", "lan"),
    ("--max-memory", "lots"),
    ("--max-processes", "0"),
    ("--max-cpus", "0"),
    ("--tmp-size", "big"),
    ("--mount", "/no/such/folder"),
    ("--env", "=value"),
    ("--max-cache-size", "-1g"),
    ("--warm-pool", "-1"),
    ("--max-concurrent", "0"),
    ("--policy", "strict"),
    ("--log-level", "loud"),
    ("--no-such-option", "x"),
]


def assert_refused(ended, *words: str) -> None:
    stderr = ended.stderr.decode()
    assert ended.returncode == 2, stderr
    assert ended.stdout == b""
    lines = stderr.strip().splitlines()
    assert len(lines) == 1, f"one line was expected:\n{stderr}"
    for word in words:
        assert word in lines[0]
    assert "Exception" not in stderr and "\tat " not in stderr


@pytest.mark.parametrize("number, option, value", [(number, *bad) for number, bad in enumerate(BAD)])
def test_bad_value_is_one_line_and_exit_code_2(installation, number, option, value):
    arguments = [f"{option}={value}"] if number % 2 else [option, value]
    ended = installation.command_line(*arguments)
    assert_refused(ended, option)
    if option != "--no-such-option":
        assert value in ended.stderr.decode()


def test_default_timeout_may_not_exceed_max_timeout(installation):
    ended = installation.command_line("--max-timeout=10", "--default-timeout=11")
    assert_refused(ended, "--default-timeout", "11", "10")


def test_missing_value(installation):
    assert_refused(installation.command_line("--max-timeout"), "--max-timeout")


@pytest.mark.parametrize("name, value", [("NETWORK", "lan"), ("MAX_MEMORY", "lots"), ("POLICY", "strict")])
def test_bad_variable_is_refused_like_a_bad_option(installation, name, value):
    assert_refused(installation.command_line(env={f"PYTHON_SANDBOX_{name}": value}), value)


def test_help_names_every_option(installation):
    ended = installation.command_line("--help")
    assert ended.returncode == 0 and ended.stderr == b""
    text = ended.stdout.decode()
    for option in {option for option, _ in BAD} - {"--no-such-option"}:
        assert option in text
    for option in ("--require-sandbox", "--no-warm-cache", "--uv-path", "--allow-host", "--keep-files", "--cache-dir"):
        assert option in text


def test_version(installation):
    ended = installation.command_line("--version")
    assert ended.returncode == 0
    assert b"0.1.0" in ended.stdout


def test_starts_quietly_and_ends_at_once(installation):
    ended = installation.command_line(stdin=b"", env={"PYTHON_SANDBOX_CACHE_DIR": str(installation.shared_cache)})
    assert ended.returncode == 0 and ended.stdout == b""


def test_options_show_in_check_environment(start):
    server = start("--default-timeout=7", "--max-timeout=9", "--max-output-bytes=2048")
    text = server.call("check_environment").text
    assert "Default timeout: 7s" in text
    assert "Max timeout: 9s" in text
    assert "Max output: 2048 bytes" in text
    assert "Cache warming: disabled" in text


def test_variables_do_what_options_do(start):
    server = start(env={"PYTHON_SANDBOX_REQUIRE_SANDBOX": "true", "PYTHON_SANDBOX_ENV": "GREETING=hello"})
    result = server.run("import os; print(os.environ.get('GREETING'))")
    assert result.expect("ok").stdout == "hello\n"


def test_an_option_wins_over_its_variable(start):
    server = start("--env=GREETING=option", env={"PYTHON_SANDBOX_ENV": "GREETING=variable"})
    assert server.run("import os; print(os.environ.get('GREETING'))").stdout == "option\n"


def test_passed_on_variable_takes_the_hosts_value(start):
    server = start("--env=SHOWN", env={"SHOWN": "seen", "HIDDEN": "unseen"})
    script = "import os; print(os.environ.get('SHOWN'), os.environ.get('HIDDEN'))"
    assert server.run(script).stdout == "seen None\n"
