"""Describes module-level variables after a script's end, as one line of JSON each."""

import json

MAX_JSON = 20_000
MAX_REPR = 2_000
HEAD = 5


def describe(scope, name):
    """Returns b'name NUL json'."""
    if name not in scope:
        value = {"unknown": True}
    else:
        try:
            value = {"value": summary(scope[name])}
        except BaseException as error:  # a hostile or broken __repr__ is the script's own affair
            value = {"error": "%s while describing it" % type(error).__name__}
    return name.encode("utf-8", "replace") + b"\0" + json.dumps(value).encode()


def summary(value):
    if is_json(value):
        return value
    module = type(value).__module__.partition(".")[0]
    if module in ("pandas", "polars") and hasattr(value, "shape"):
        return frame(value)
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        head = value.reshape(-1)[:HEAD].tolist()
        return {"type": kind(value), "shape": list(value.shape), "dtype": str(value.dtype), "head": cut(repr(head))}
    return {"type": kind(value), "repr": cut(repr(value))}


def is_json(value):
    if not isinstance(value, (str, int, float, bool, list, tuple, dict, type(None))):
        return False
    try:
        return len(json.dumps(value, allow_nan=False)) <= MAX_JSON
    except (TypeError, ValueError, RecursionError):
        return False


def frame(value):
    found = {"type": kind(value), "shape": list(value.shape)}
    dtypes = getattr(value, "dtypes", None)
    if hasattr(dtypes, "items"):
        found["dtypes"] = {str(column): str(dtype) for column, dtype in dtypes.items()}
    elif dtypes is not None:
        found["dtypes"] = cut(str(dtypes))
    found["head"] = cut(str(value.head(HEAD)))
    return found


def kind(value):
    return type(value).__module__ + "." + type(value).__qualname__


def cut(text):
    return text if len(text) <= MAX_REPR else text[:MAX_REPR] + "… (%d more characters)" % (len(text) - MAX_REPR)
