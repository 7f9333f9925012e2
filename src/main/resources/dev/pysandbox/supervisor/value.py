"""Sends the repr of the value of a script's last statement, if that is an expression.

It runs in the script's process, only if the end of the script's text looks like an expression and does not print. The
interpreter itself compiles and runs the script: an audit hook receives the compiled code just before it runs. In that
code, each instruction that drops the last value is replaced by one that returns it, which leaves lines, columns and
sources as they are; the event of the return then has the value. Where any of this is not possible, no value is sent.

supervisor.py defines report and import_hidden here.
"""

import os
import sys

import _signal

ONLY_SYNTAX_TREE = 0x400  # a flag of compile()
TOOL = 4  # of sys.monitoring; 0, 1, 2 and 5 are for debuggers, coverage tools, profilers and optimizers
CONSTANTS = ("1000", "1", "-1", "'a'", "True", "()")  # examples of each way to load one
NEWEST = (3, 15)  # the newest version of Python with which this was tested
LONGEST = 4_000  # characters
PATIENCE = 2  # seconds for repr()


def install(script, memory):
    """memory is the limit in bytes, or 0."""
    if not (3, 12) <= sys.version_info[:2] <= NEWEST or not getattr(sys, "_is_gil_enabled", lambda: True)():
        return
    with open(script, "rb") as file:
        source = file.read()
    try:
        body = quietly(compile, source, script, "exec", ONLY_SYNTAX_TREE, True).body
    except Exception:
        return  # the interpreter reports the error
    if not body or type(body[-1]).__name__ != "Expr":
        return
    path, waiting, expression = os.path.abspath(script), [True], body[-1].value

    def hook(event, arguments):
        if waiting and event == "exec" and getattr(arguments[0], "co_filename", "") == path:
            waiting.clear()
            try:
                observe(arguments[0], expression, memory)
            except Exception:
                pass

    sys.addaudithook(hook)


def quietly(function, *arguments):
    """Calls a function without showing warnings."""
    import _warnings

    filters = getattr(sys.modules.get("warnings", _warnings), "filters")
    filters.insert(0, ("ignore", None, Warning, None, 0))
    try:
        return function(*arguments)
    finally:
        del filters[0]


def observe(code, expression, memory):
    """Sends the value when the code of the script returns."""
    drops = find_drops(code.co_code)
    constant = () if drops else find_constant(expression, code.co_filename)
    if not drops and not constant:
        return
    pid, monitoring = os.getpid(), sys.monitoring

    def ended(code, offset, value):
        monitoring.set_local_events(TOOL, code, 0)
        value = value if drops else constant[0]
        if value is None or os.getpid() != pid:  # a process that the script forked
            return
        try:
            report(b"E", quietly(describe, value, memory))
        except Exception:
            pass

    monitoring.use_tool_id(TOOL, "value")
    if drops:
        replace(code, drops)
    monitoring.register_callback(TOOL, monitoring.events.PY_RETURN, ended)
    monitoring.set_local_events(TOOL, code, monitoring.events.PY_RETURN)


def find_drops(code):
    """Returns the index of each instruction that drops the last value, right before the code returns None.

    The opcodes are those with which this interpreter ends the script "x": drop, return None. A module returns only at
    its end, so each of its returns must follow the last statement.
    """
    evaluation = compile("x", "", "eval").co_code[::2]
    end = compile("x", "", "exec").co_code[::2][len(evaluation) - 1:]
    opcodes = code[::2]
    returns = [index for index, opcode in enumerate(opcodes) if opcode == end[-1]]
    starts = [index + 1 - len(end) for index in returns]
    return starts if all(opcodes[start:start + len(end)] == end for start in starts) else []


def find_constant(expression, path):
    """Returns the value of an expression that the compiler has replaced by a constant, in a tuple; else ()."""
    import _ast

    code = compile(_ast.Expression(expression), path, "eval")
    opcodes, loads = code.co_code[::2], [compile(text, "", "eval").co_code[::2] for text in CONSTANTS]
    return (eval(code, {}),) if opcodes in loads else ()


def replace(code, drops):
    """Replaces instructions in the memory of a code object, after a check that they are where they are expected."""
    start = id(code) + type(code).__basicsize__
    file = os.open("/proc/self/mem", os.O_RDWR)
    try:
        if os.pread(file, len(code._co_code_adaptive), start) != code._co_code_adaptive:
            raise OSError("code objects of this interpreter look different")
        for index in drops:
            os.pwrite(file, compile("x", "", "eval").co_code[-2:-1], start + 2 * index)
    finally:
        os.close(file)


def describe(value, memory):
    """Returns the repr of a value. A forked process computes it: it may print, change objects, or take long."""
    with open("/proc/self/statm", "rb") as file:
        resident = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    if memory and resident > memory // 2:
        return b"(not shown: it would need too much memory)"
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            nothing = os.open(os.devnull, os.O_RDWR)
            for standard in range(3):
                os.dup2(nothing, standard)
            os.write(write, shortened(value).encode("utf-8", "backslashreplace"))
        finally:
            os._exit(0)
    os.close(write)
    try:
        ready = import_hidden("select").select([read], [], [], PATIENCE)[0]
        found = os.read(read, 4 * LONGEST + 1000) if ready else b"(not shown: its repr() takes too long)"
    finally:
        os.close(read)
        os.kill(child, _signal.SIGKILL)
        os.waitpid(child, 0)
    return found or b"(not shown: its repr() fails)"


def shortened(value):
    rest = 0
    if type(value) in (str, bytes, list, tuple) and len(value) > LONGEST:
        rest = len(value) - LONGEST
        value = value[:LONGEST]
    text = repr(value)
    if len(text) <= LONGEST and not rest:
        return text
    return text[:LONGEST] + "… (cut)"
