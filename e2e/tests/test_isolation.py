"""What a script in a sandbox cannot see or do."""

import json
import os
import socket
from pathlib import Path

import pytest

pytestmark = [pytest.mark.isolated, pytest.mark.as_user, pytest.mark.on_docker]


def test_home_of_the_host_is_not_visible(server, backend, marker):
    secret = Path(os.environ["HOME"]) / f".{marker}"
    secret.write_text("secret")
    try:
        script = f"import os\nprint(os.path.exists({str(secret)!r}))\nprint(os.path.expanduser('~') != {os.environ['HOME']!r})"
        assert server.run(script).expect("ok").stdout == "False\nTrue\n"
    finally:
        secret.unlink()


def test_temporary_files_of_the_host_are_not_visible(server, marker):
    secret = Path("/tmp") / marker
    secret.write_text("secret")
    try:
        assert server.run(f"import os; print(os.path.exists({str(secret)!r}))").expect("ok").stdout == "False\n"
    finally:
        secret.unlink()


def test_passwd_of_the_host_is_not_visible(server):
    inside = server.run("print(open('/etc/passwd').read())")
    host_users = [line for line in Path("/etc/passwd").read_text().splitlines() if line.startswith(("daemon:", "nobody:"))]
    assert not any(user in inside.stdout for user in host_users)


@pytest.mark.parametrize("path", ["/etc/shadow", "/root", "/var/log", "/sys/kernel", "/proc/1/environ"])
def test_private_places_show_nothing(server, path):
    script = (
        "import os\n"
        f"path = {path!r}\n"
        "try:\n"
        "    print(os.listdir(path) if os.path.isdir(path) else open(path, 'rb').read())\n"
        "except OSError as e:\n"
        "    print(type(e).__name__)\n"
    )
    shown = server.run(script).expect("ok").stdout.strip()
    assert shown in ("[]", "b''", "FileNotFoundError", "PermissionError")


@pytest.mark.parametrize("folder", ["/", "/usr", "/usr/lib", "/etc", "/bin", "/dev", "/opt", "/var", "/proc/sys/kernel"])
def test_writes_outside_fail(server, folder):
    script = (
        "import os\n"
        "try:\n"
        f"    os.makedirs({folder!r}, exist_ok=True); open(os.path.join({folder!r}, 'x'), 'w').write('x'); print('written')\n"
        "except OSError: print('refused')\n"
    )
    assert server.run(script).expect("ok").stdout == "refused\n"


FREE_CALLS = """
import ctypes, socket
libc = ctypes.CDLL(None, use_errno=True)
print(libc.prctl(1, 9, 0, 0, 0))
print(libc.capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()))
try:
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)
except OSError as error:
    print(error.errno)
"""


@pytest.mark.isolated
@pytest.mark.on_docker
def test_system_calls_that_libraries_need(server):
    """PR_SET_PDEATHSIG to SIGKILL (ray), capset without capabilities (Chromium), EINVAL for netlink (ZeroMQ)."""
    assert server.run(FREE_CALLS).expect("ok").stdout.split() == ["0", "0", "22"]


@pytest.mark.native_only
def test_public_files_of_the_host_are_visible(server):
    """Fonts, headers, tables; a program that has them on the host has them inside."""
    files = ["/usr/share/misc/magic.mgc", "/etc/services", "/etc/protocols", "/etc/mime.types"]
    folders = ["/usr/share/fonts", "/usr/share/glvnd", "/usr/include", *map(str, Path("/etc").glob("java-*"))]
    there = [path for path in files + folders if Path(path).exists()]
    result = server.run(f"import os\nprint([path for path in {there} if not os.access(path, os.R_OK)])").expect("ok")
    assert there and result.stdout == "[]\n"


@pytest.mark.native_only
def test_interpreter_starts_without_variables(server):
    script = (
        "import subprocess, sys\n"
        "code = 'import sys, sysconfig; print(sys.prefix, sysconfig.get_config_var(\"LIBDIR\"))'\n"
        "prefix, libraries = subprocess.check_output([sys.executable, '-c', code], env={}, text=True).split()\n"
        "print(prefix == sys.prefix)\n"
    )
    assert server.run(script).expect("ok").stdout == "True\n"


def test_environment_and_interpreter_are_read_only(server):
    script = (
        "import os, sys, six\n"
        "for folder in (os.path.dirname(six.__file__), sys.prefix, sys.base_prefix, os.path.dirname(os.__file__)):\n"
        "    try: open(os.path.join(folder, 'x'), 'w').write('x'); print('written', folder)\n"
        "    except OSError: print('refused')\n"
    )
    assert server.run(script, dependencies=["six==1.17.0"]).expect("ok").stdout == "refused\n" * 4


def test_working_folder_tmp_and_home_are_writable(server):
    script = (
        "import os\n"
        "for folder in ('.', '/tmp', os.path.expanduser('~')):\n"
        "    open(os.path.join(folder, 'x'), 'w').write('x')\n"
        "print('ok')\n"
    )
    assert server.run(script).expect("ok").stdout == "ok\n"


def test_nothing_written_is_there_in_the_next_run(server):
    script = (
        "import os\n"
        "places = [os.path.join(f, 'trace') for f in ('.', '/tmp', os.path.expanduser('~'), '/dev/shm')]\n"
        "print([os.path.exists(p) for p in places])\n"
        "for p in places:\n"
        "    try: open(p, 'w').write('x')\n"
        "    except OSError: pass\n"
    )
    for _ in range(2):
        assert server.run(script).expect("ok").stdout == "[False, False, False, False]\n"


def test_variables_of_the_host_are_not_visible(start, marker):
    server = start(env={"SECRET_OF_THE_HOST": marker, "AWS_SECRET_ACCESS_KEY": marker})
    script = (
        "import os, glob\n"
        "print(dict(os.environ))\n"
        "for path in glob.glob('/proc/[0-9]*/environ') + glob.glob('/proc/[0-9]*/cmdline'):\n"
        "    try: print(open(path, 'rb').read())\n"
        "    except OSError: pass\n"
    )
    assert marker not in server.run(script).expect("ok").stdout


def test_loopback_of_the_host_is_unreachable(server):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        script = (
            "import socket, urllib.request\n"
            "try: socket.create_connection(('127.0.0.1', %d), 3); print('connected')\n"
            "except OSError as e: print('refused')\n"
            "try: print(urllib.request.urlopen('http://127.0.0.1:%d/', timeout=3).read())\n"
            "except OSError as e: print('refused')\n"
        ) % (port, port)
        assert server.run(script).expect("ok").stdout == "refused\nrefused\n"


def test_processes_of_the_host_are_not_visible(server):
    script = "import os; print([p for p in os.listdir('/proc') if p.isdigit()])"
    visible = json.loads(server.run(script).expect("ok").stdout.replace("'", '"'))
    assert len(visible) <= 4


def test_not_root_and_without_capabilities(server):
    script = "import os\nprint(os.getuid() != 0)\nprint([l.split()[1] for l in open('/proc/self/status') if l.startswith('CapEff')])"
    assert server.run(script).expect("ok").stdout == "True\n['0000000000000000']\n"


def test_no_new_privileges(server):
    script = "print([l.split()[1] for l in open('/proc/self/status') if l.startswith('NoNewPrivs')])"
    assert server.run(script).expect("ok").stdout == "['1']\n"


@pytest.mark.host_kernel
def test_no_new_namespaces(server):
    script = "import ctypes; print(ctypes.CDLL(None, use_errno=True).unshare(0x10000000))"
    assert server.run(script).expect("ok").stdout == "-1\n"


def test_hostname_is_not_the_hosts(server):
    assert server.run("import socket; print(socket.gethostname())").expect("ok").stdout.strip() != socket.gethostname()
