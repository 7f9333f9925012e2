"""Compiles the packages below a folder to bytecode without importing them.

usage: compile_packages.py FOLDER                  all modules except those in folders named tests
       compile_packages.py FOLDER MODULE...        these modules and what they import, found by reading their bytecode

Several processes share the work: each claims a file before it compiles it. Existing bytecode of an unchanged source is
kept. Files that can't be compiled are left out.
"""

import marshal
import os
import sys
from importlib import util
from importlib._bootstrap_external import _code_to_timestamp_pyc, _write_atomic
from opcode import EXTENDED_ARG, opmap
from time import sleep

HEADER = 16  # bytes of a .pyc file before its code
LARGEST_SOURCE = 4 << 20
SECONDS_TO_WAIT = 5  # for a file that another process compiles


def bytecode_path(source):
    return util.cache_from_source(source)


def header(source):
    found = os.stat(source)
    return _code_to_timestamp_pyc(compile("", "", "exec"), int(found.st_mtime), found.st_size)[:HEADER]


def existing(source):
    """Returns the code in the .pyc file of a source, or None if there is none or it is older."""
    try:
        with open(bytecode_path(source), "rb") as file:
            data = file.read()
        return marshal.loads(data[HEADER:]) if data[:HEADER] == header(source) else None
    except (OSError, ValueError, EOFError, TypeError):
        return None


def compiled(source):
    """Compiles a source, writes its .pyc file and returns its code, or None if it can't be compiled."""
    code = existing(source)
    if code is not None:
        return code
    try:
        found = os.stat(source)
        if found.st_size > LARGEST_SOURCE:
            return None
        with open(source, "rb") as file:
            code = compile(file.read(), source, "exec", dont_inherit=True, optimize=0)
        target = bytecode_path(source)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        _write_atomic(target, _code_to_timestamp_pyc(code, int(found.st_mtime), found.st_size), 0o644)
        return code
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


def imports(code):
    """Returns what the statements of a module outside of functions and classes import: (level, module, names)."""
    pushed, extended, found = [None, None], 0, []
    instructions = code.co_code
    for position in range(0, len(instructions), 2):
        operation, argument = instructions[position], instructions[position + 1] | extended
        extended = 0
        if operation == EXTENDED_ARG:
            extended = argument << 8
        elif operation == opmap["LOAD_CONST"]:
            pushed = [pushed[1], code.co_consts[argument]]
        elif operation == opmap.get("LOAD_SMALL_INT"):
            pushed = [pushed[1], argument]
        elif operation == opmap["IMPORT_NAME"]:
            level, names = pushed
            found.append((level if isinstance(level, int) else 0, code.co_names[argument], names or ()))
    return found


class Closure:
    """The sources of modules and of all that they import."""

    def __init__(self, root, modules, claims, backwards):
        self.root, self.claims = root, claims
        self.end = -1 if backwards else 0  # two processes begin at different ends
        self.known, self.queue, self.elsewhere = set(), [], []
        for module in modules:
            self.add(module.split("."))

    def add(self, parts):
        """Adds a module and the packages that contain it."""
        path = self.root
        for part in parts:
            path = os.path.join(path, part)
            for source in (os.path.join(path, "__init__.py"), path + ".py"):
                if source not in self.known and os.path.isfile(source):
                    self.known.add(source)
                    self.queue.append(source)

    def add_imports(self, source, code):
        package = os.path.relpath(os.path.dirname(source), self.root).split(os.sep)
        package = [] if package == ["."] else package
        for level, module, names in imports(code):
            base = package[:len(package) - level + 1] if level else []
            base = base + (module.split(".") if module else [])
            self.add(base)
            for name in names:
                self.add([*base, name])

    def claim(self, source):
        try:
            os.close(os.open(os.path.join(self.claims, source.replace(os.sep, "!")[-200:]), os.O_CREAT | os.O_EXCL))
            return True
        except FileExistsError:
            return False

    def compile(self):
        waited = 0
        while self.queue or self.elsewhere:
            if self.queue:
                source = self.queue.pop(self.end)
                if not self.claim(source):
                    self.elsewhere.append(source)
                    continue
                code = compiled(source)
            else:
                source = self.elsewhere[0]
                code = existing(source)
                if code is None and waited < SECONDS_TO_WAIT:
                    waited += 0.002
                    sleep(0.002)
                    continue
                self.elsewhere.pop(0)
            if code is not None:
                self.add_imports(source, code)


def sources(root):
    """Returns all sources outside of tests; folders named test, which some packages use for their users, come last."""
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in ("tests", "__pycache__"))
        found += [os.path.join(folder, name) for name in sorted(files) if name.endswith(".py")]
    return sorted(found, key=lambda source: os.sep + "test" + os.sep in source)


def work(root, modules, claims, number, processes):
    if modules:
        Closure(root, modules, claims, number % 2).compile()
    else:
        for source in sources(root)[number::processes]:
            compiled(source)


def main(root, modules):
    claims = os.path.join(os.environ.get("TMPDIR", "/tmp"), "claims")
    os.mkdir(claims)
    processes = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    children = []
    for number in range(1, min(processes, 4)):
        child = os.fork()
        if child == 0:
            try:
                work(root, modules, claims, number, min(processes, 4))
            finally:
                os._exit(0)
        children.append(child)
    work(root, modules, claims, 0, min(processes, 4))
    for child in children:
        os.waitpid(child, 0)


main(sys.argv[1], sys.argv[2:])
