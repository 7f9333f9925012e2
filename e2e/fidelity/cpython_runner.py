# Runs inside the sandbox, as a script of the server: runs modules of CPython's own tests, two at a time, and prints the
# exit code and the end of the output of each. Without that package it prints nothing.
import importlib.util, json, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

with open("wanted.json") as file:
    wanted = json.load(file)


def run(module):
    ignored = [word for pattern in wanted["ignored"] for word in ("--ignore", pattern)]
    command = [sys.executable, "-m", "test", "--timeout=60", *ignored, module]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    return [done.returncode, done.stdout[-1500:]]


if importlib.util.find_spec("test") and importlib.util.find_spec("test.libregrtest"):
    with ThreadPoolExecutor(2) as pool:
        print(json.dumps(dict(zip(wanted["modules"], pool.map(run, wanted["modules"])))))
