"""Tests from inside the sandbox what a script can reach; prints one line for each test."""

import os
import resource
import socket


def main():
    with open("host.txt", encoding="utf-8") as file:
        home, port = file.read().splitlines()
    print("Host home readable:", yes(readable(home)))
    print("Writable outside its own folders:", yes(writable("/usr") or writable("/etc") or writable("/")))
    print("Host processes visible:", yes(other_processes()))
    print("Host loopback reachable:", yes(connects("127.0.0.1", int(port))))
    print("Network:", network())
    print("Limits:", ", ".join(limits()))


def yes(found):
    return "yes" if found else "no"


def readable(folder):
    try:
        os.listdir(folder)
        return True
    except OSError:
        return False


def writable(folder):
    name = os.path.join(folder, ".python-sandbox-probe")
    try:
        os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
        os.remove(name)
        return True
    except OSError:
        return False


def other_processes():
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()] if os.path.isdir("/proc") else []
    return any(pid not in (1, os.getpid()) for pid in pids)


def connects(host, port):
    try:
        socket.create_connection((host, port), timeout=2).close()
        return True
    except OSError:
        return False


def network():
    if os.environ.get("https_proxy", "").startswith("http://127.0.0.1:"):
        return "internet, through the proxy"
    return "the host's" if has_route() else "none"


def has_route():
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        probe.connect(("192.0.2.1", 9))  # sends nothing, but fails without a route
        return True
    except OSError:
        return False
    finally:
        probe.close()


def limits():
    def limit(name):
        value = resource.getrlimit(name)[0]
        return "unlimited" if value == resource.RLIM_INFINITY else str(value)

    yield "processes " + limit(resource.RLIMIT_NPROC)
    yield "open files " + limit(resource.RLIMIT_NOFILE)
    if limit(resource.RLIMIT_AS) != "unlimited":  # else the memory in use is limited
        yield "address space %s bytes" % limit(resource.RLIMIT_AS)
    disk = os.statvfs(os.getcwd())
    yield "working folder %d MiB" % (disk.f_blocks * disk.f_frsize >> 20)


main()
