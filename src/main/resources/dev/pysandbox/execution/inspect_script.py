"""Compiles source.py without running it and prints its errors, warnings and imports as JSON."""

import ast
import json
import os
import sys
import warnings

MOST_IMPORTS = 100
MOST_WARNINGS = 20
MOST_VIOLATIONS = 50
LONGEST = 300  # characters: the report must fit into the output that the server reads


def main():
    with open("source.py", "rb") as file:
        source = file.read()
    report = {"imports": [], "warnings": []}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            tree = ast.parse(source, "script.py")
            compile(tree, "script.py", "exec", dont_inherit=True)
            found = third_party_imports(tree)
            report["imports"] = found[:MOST_IMPORTS]
            report["more_imports"] = len(found[MOST_IMPORTS:])
            if os.path.exists("restricted.py"):  # present only under the restricted policy
                import restricted

                violations = restricted.violations(source)
                report["violations"] = [cut("line %d: %s" % each) for each in violations[:MOST_VIOLATIONS]]
                if len(violations) > MOST_VIOLATIONS:
                    report["violations"].append("and %d more" % (len(violations) - MOST_VIOLATIONS))
        except SyntaxError as error:
            report["error"] = {"message": cut(error.msg), "line": error.lineno, "column": error.offset}
        except (ValueError, RecursionError, MemoryError, OverflowError) as error:
            report["error"] = {"message": cut(str(error) or type(error).__name__)}
    for warning in caught[:MOST_WARNINGS]:
        report["warnings"].append(cut("line %d: %s" % (warning.lineno, warning.message)))
    print(json.dumps(report))


def cut(text):
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def third_party_imports(tree):
    """Returns the modules outside the standard library, each with the line of its first import outside a try block."""
    guarded = {id(below) for node in ast.walk(tree) if isinstance(node, ast.Try) for below in ast.walk(node)}
    found = {}
    for node in ast.walk(tree):
        if id(node) in guarded:
            continue
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names = [node.module]
        for name in names:
            top = name.partition(".")[0]
            if top not in sys.stdlib_module_names and top != "script":
                found.setdefault(top, node.lineno)
    return [{"module": cut(module), "line": line} for module, line in sorted(found.items(), key=lambda item: item[1])]


main()
