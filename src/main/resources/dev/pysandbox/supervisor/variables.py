"""Describes module-level variables after a script's end, as one line of JSON each."""

import json

MAX_JSON = 20_000
MAX_BYTES = 40_000  # of one variable; less than files.py accepts
MAX_ALL_BYTES = 400_000  # of all variables; less than files.py accepts
MAX_REPR = 2_000
MAX_COLUMNS = 50
HEAD = 5


def describe_all(scope, names):
    """Yields b'name NUL json' for each variable."""
    room = MAX_ALL_BYTES
    for name in names:
        described = describe(scope, name)
        if len(described) > room:
            described = json.dumps({"error": "not shown: the variables asked for take more than %d bytes together"
                                    % MAX_ALL_BYTES})
        else:
            room -= len(described)
        yield name.encode("utf-8", "replace") + b"\0" + described.encode()


def describe(scope, name):
    if name not in scope:
        return json.dumps({"unknown": True})
    try:
        described = json.dumps({"value": summary(scope[name])})
        if len(described) > MAX_BYTES:  # names of columns can have any length
            described = json.dumps({"value": {"type": kind(scope[name]), "repr": cut(repr(scope[name]))}})
        return described
    except BaseException as error:  # a hostile or broken __repr__ may raise anything
        return json.dumps({"error": "%s while describing it" % cut(type(error).__name__)})


def summary(value):
    if is_json(value):
        return value
    if isinstance(getattr(value, "shape", None), tuple):
        try:
            return frame(value) if hasattr(value, "head") else array(value)
        except Exception:  # it has the attributes of one, but is not one
            pass
    found = {"type": kind(value), "repr": cut(repr(value))}
    if isinstance(value, (str, bytes, bytearray, list, tuple, dict, set, frozenset)):
        found["length"] = len(value)
    return found


def is_json(value):
    if not isinstance(value, (str, int, float, bool, list, tuple, dict, type(None))):
        return False
    try:
        return len(json.dumps(value, allow_nan=False)) <= MAX_JSON
    except (TypeError, ValueError, RecursionError):
        return False


def frame(value):
    """Describes tables and columns of pandas, polars and similar packages."""
    found = {"type": kind(value), "shape": sizes(value)}
    if hasattr(value, "columns"):
        names = list(value.columns)
        dtypes = getattr(value, "dtypes", ())
        found["dtypes"] = {str(name): str(dtype) for name, dtype in zip(names[:MAX_COLUMNS], dtypes)}
        if len(names) > MAX_COLUMNS:
            found["more_columns"] = len(names) - MAX_COLUMNS
    elif hasattr(value, "dtype"):
        found["dtype"] = str(value.dtype)
    found["head"] = cut(str(value.head(HEAD)))
    return found


def array(value):
    """Describes arrays of numpy and similar packages; their scalars as numbers."""
    if not value.shape and hasattr(value, "item"):
        number = value.item()
        return number if is_json(number) else {"type": kind(value), "repr": cut(repr(value))}
    head = value.reshape(-1)[:HEAD].tolist()
    return {"type": kind(value), "shape": sizes(value), "dtype": str(value.dtype), "head": cut(repr(head))}


def sizes(value):
    return [int(size) for size in value.shape]


def kind(value):
    return cut(type(value).__module__ + "." + type(value).__qualname__)


def cut(text):
    return text if len(text) <= MAX_REPR else text[:MAX_REPR] + "… (%d more characters)" % (len(text) - MAX_REPR)
