"""The restricted policy: a lint on top of the sandbox, for scripts that are pure calculation.

`violations` checks a script's syntax tree and returns what is not allowed, and why. `enforce` refuses such a script
before it runs, and gives other scripts a safe subset of builtins and an import function with the same list of modules.
A hostile script may find a way around it. The sandbox is the boundary.
"""

import sys

MODULES = frozenset(
    """math cmath decimal fractions statistics json re string textwrap unicodedata difflib datetime calendar collections
    itertools functools operator enum dataclasses typing copy hashlib base64 random uuid struct pprint""".split()
)

NAMES = frozenset(
    """exec eval compile open __import__ getattr setattr delattr globals locals vars input breakpoint dir help
    exit quit copyright credits license""".split()
)

BUILTINS = """abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate filter
    float format frozenset hasattr hash hex id int isinstance issubclass iter len list map max min next object oct ord
    pow print property range repr reversed round set slice sorted staticmethod str sum super tuple type zip aiter anext
    True False None Ellipsis NotImplemented __build_class__ __debug__ __name__""".split()

# Special methods that a class calls on its parent, or that reveal nothing.
SPECIAL = frozenset(
    """__init__ __post_init__ __name__ __doc__ __str__ __repr__ __format__ __len__ __iter__ __next__ __contains__
    __getitem__ __setitem__ __delitem__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __bool__ __int__ __float__
    __add__ __radd__ __iadd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __floordiv__ __mod__ __pow__
    __neg__ __pos__ __abs__ __and__ __or__ __xor__ __invert__ __lshift__ __rshift__ __enter__ __exit__
    __call__ __missing__ __init_subclass__ __set_name__ __match_args__ __slots__ __main__""".split()
)

# Attributes that lead from an ordinary object to frames, code and namespaces.
INTROSPECTION = frozenset(
    """gi_frame gi_code gi_yieldfrom cr_frame cr_code cr_await cr_origin ag_frame ag_code ag_await tb_frame tb_next
    f_back f_builtins f_code f_globals f_locals f_generator co_code co_consts co_names func_globals func_code
    mro""".split()
)

ONLY = "only these can be imported: " + " ".join(sorted(MODULES))


def violations(source):
    """Returns the violations of a script as (line, reason) pairs; raises if the script can't be compiled."""
    import _ast

    tree = compile(source, "script.py", "exec", _ast.PyCF_ONLY_AST, dont_inherit=True)
    found = {}
    todo = [(tree, 1)]
    while todo:
        node, line = todo.pop()
        line = getattr(node, "lineno", line)
        for reason in reasons(node):
            found.setdefault((line, reason))
        for field in node._fields:
            value = getattr(node, field, None)
            for below in value if isinstance(value, list) else [value]:
                if isinstance(below, _ast.AST):
                    todo.append((below, line))
    return sorted(found)


def reasons(node):
    kind = type(node).__name__
    if kind == "Import":
        for alias in node.names:
            yield from imported(alias.name)
    elif kind == "ImportFrom":
        if node.level:
            yield "relative imports are not allowed"
        else:
            yield from imported(node.module or "")
        for alias in node.names:
            yield from attribute(alias.name)
    elif kind == "Name":
        yield from name(node.id)
    elif kind == "Attribute":
        yield from attribute(node.attr)
    elif kind == "MatchClass":
        for each in node.kwd_attrs:
            yield from attribute(each)
    elif kind in ("Global", "Nonlocal"):
        for each in node.names:
            yield from name(each)
    elif kind == "Constant" and isinstance(node.value, (str, bytes)):
        yield from text(node.value if isinstance(node.value, str) else node.value.decode("latin-1"))
    elif kind == "Call" and type(node.func).__name__ == "Name" and node.func.id == "type":
        if len(node.args) != 1 or node.keywords or type(node.args[0]).__name__ == "Starred":
            yield "'type' is only allowed with one argument"


def imported(module):
    if module.partition(".")[0] not in MODULES:
        yield "'import %s' is not allowed; %s" % (module, ONLY)


def name(word):
    if word in NAMES or dunder(word) and word != "__name__":
        yield "'%s' is not allowed" % word


def attribute(word):
    if dunder(word) and word not in SPECIAL or word in INTROSPECTION:
        yield "the attribute '%s' is not allowed" % word


def text(value):
    """Format strings and functions that take names give access to special attributes through strings."""
    start = value.find("__")
    while start >= 0:
        end = start
        while end < len(value) and (value[end] == "_" or value[end].isalnum()):
            end += 1
        word = value[start:end]
        if dunder(word) and word not in SPECIAL:
            yield "the text '%s' is not allowed" % word
        start = value.find("__", max(end, start + 2))


def dunder(word):
    return len(word) > 4 and word.startswith("__") and word.endswith("__")


def enforce(script):
    """Ends the process if the script violates the policy; else prepares the interpreter for the script."""
    with open(script, "rb") as file:
        source = file.read()
    try:
        found = violations(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        found = []  # the interpreter reports the error itself
    if found:
        lines = ["script.py:%d: %s" % each for each in found]
        lines.append("The restricted policy refused the script; nothing of it was run.")
        sys.stderr.write("\n".join(lines) + "\n")
        sys.stderr.flush()
        import os

        os._exit(1)
    sys.modules["__main__"].__dict__["__builtins__"] = safe_builtins()


def safe_builtins():
    import builtins

    everything = vars(builtins)
    safe = {each: everything[each] for each in BUILTINS if each in everything}
    safe.update((each, value) for each, value in everything.items() if is_exception(value))
    safe["__import__"] = guarded_import(everything["__import__"])
    return safe


def is_exception(value):
    return isinstance(value, type) and issubclass(value, BaseException)


def guarded_import(real):
    module_type = type(sys)
    shown = {}

    def public(module):
        """Returns a copy of the module with only its public names, without the modules that it imports."""
        if module.__name__ not in shown:
            view = shown[module.__name__] = module_type(module.__name__, module.__doc__)
            names = getattr(module, "__all__", None) or [each for each in vars(module) if not each.startswith("_")]
            for each in names:
                value = getattr(module, each)
                if not isinstance(value, module_type):
                    setattr(view, each, value)
        return shown[module.__name__]

    def __import__(name, globals=None, locals=None, fromlist=(), level=0):
        if level or not isinstance(name, str) or name.partition(".")[0] not in MODULES:
            raise ImportError("'import %s' is not allowed by the restricted policy; %s" % (name, ONLY))
        real(name)
        view, parts = public(sys.modules[name.partition(".")[0]]), name.split(".")
        for count in range(2, len(parts) + 1):
            inner = public(sys.modules[".".join(parts[:count])])
            outer = public(sys.modules[".".join(parts[:count - 1])])
            setattr(outer, parts[count - 1], inner)
        if not fromlist:
            return view
        module = sys.modules[name]
        for each in fromlist:
            below = sys.modules.get(name + "." + each)
            if below is not None and each != "*":
                setattr(public(module), each, public(below))
        return public(module)

    return __import__
