"""Counts the memory of the processes of a sandbox, and the kernel memory that belongs to no single process.

A control group counts nearly all of it. Without one, this count is the only limit. supervisor.py defines tree and
SCRATCH here.
"""

import os
from time import monotonic

PAGE = os.sysconf("SC_PAGE_SIZE")
SOCKET_BUFFERS = 2 * 212_992  # the most unread bytes in a Unix or UDP socket, by the kernel's defaults
FREE_SOCKETS = 32
DESCRIPTOR = 4096  # half of the smallest pipe
FREE_DESCRIPTORS = 64  # of each process
TERMINAL = 1 << 17
FREE_TERMINALS = 8
PATIENCE = 0.5  # seconds for reading the shares of processes; no timeout is checked meanwhile
RECORD = 256  # bytes for each mapping
MOST_MAPPINGS = 65_530  # of a process, by the kernel's default
LONG = 1 << 18  # bytes of text: 2,500 mappings or more
LONGEST = 1 << 21  # bytes of a list that is searched
# The interfaces that the kernel creates in each network namespace. If there are others, the network is the host's.
OWN_INTERFACES = {"lo", "tunl0", "gre0", "gretap0", "erspan0", "ip_vti0", "ip6_vti0", "sit0", "ip6tnl0", "ip6gre0"}


class Count:
    def __init__(self, child, before):
        """before is the result of machine() before the script began, or None if it is not compared."""
        self.child, self.before = child, before
        self.own_network = {line.split(":")[0].strip() for line in self.net("dev")[2:]} <= OWN_INTERFACES
        self.socket_buffers = 2 * int(first_line("/proc/sys/net/core/wmem_default") or SOCKET_BUFFERS // 2)

    def in_use(self, limit, connections):
        """Returns the bytes in use. Forked processes share pages, which count for each of them; above the limit, only
        the share of each process counts. connections are those of the supervisor to the proxy."""
        own, shared, kernel = {}, 0, 0
        for pid in filter(str.isdigit, os.listdir("/proc")) if os.getpid() == 1 else [self.child, *tree(self.child)]:
            if pid == "1":
                continue
            try:
                with open("/proc/%s/statm" % pid, "rb") as file:
                    fields = file.read().split()
                own[pid] = (int(fields[1]) - int(fields[2])) * PAGE
                shared = max(shared, int(fields[2]) * PAGE)
                kernel += kernel_memory(pid)
            except (OSError, IndexError):
                pass
        if os.getpid() == 1:
            kernel += self.sockets(connections) + terminals() + self.hidden(own, limit)
        used = sum(own.values()) + shared + kernel
        if used > limit:
            # Twice: when a process ends during the count, the shares of the others grow.
            until = monotonic() + PATIENCE
            used = min(sum(share_of(pid, most, until) for pid, most in own.items()) for _ in range(2)) + shared + kernel
        return used

    def sockets(self, connections):
        """Returns the bytes that can wait in sockets, in a network namespace of the sandbox. For TCP the kernel reports
        the bytes; for other sockets only their number."""
        if not self.own_network:
            return 0
        used = tcp = 0
        for line in self.net("sockstat") + self.net("sockstat6"):
            words = line.split()
            if words[0] == "sockets:":
                used = int(words[2])
            elif words[0] in ("TCP:", "TCP6:"):
                tcp += int(words[2])
        queued = 0
        for line in self.net("tcp")[1:] + self.net("tcp6")[1:] if tcp > FREE_SOCKETS // 4 else ():
            sending, receiving = line.split()[4].split(":")
            queued += int(sending, 16) + int(receiving, 16)
        return max(0, used - tcp - connections - FREE_SOCKETS) * self.socket_buffers + 2 * queued

    def hidden(self, pids, limit):
        """Returns memory that no process's count includes: anonymous shared memory, whose pages remain when no process
        maps them, and the kernel's records of mappings and locks. The kernel reports these for the whole machine. If
        they grew by a large part of the limit, they count for the sandbox, provided that its processes have such
        memory or many mappings or locks."""
        if self.before is None:
            return 0
        shared, records = (now - before for now, before in zip(machine(), self.before))
        until = monotonic() + PATIENCE
        found = shared if shared > limit // 2 and any(monotonic() > until or has_shared_anonymous(pid) for pid in pids) else 0
        return found + (min(records, records_of(pids, records)) if records > limit // 2 else 0)

    def net(self, name):
        return lines("/proc/%d/net/%s" % (self.child, name))


def machine():
    """Returns the machine's shared memory without that of the scratch folders, and its unreclaimable kernel records."""
    found = dict(line.split(":") for line in lines("/proc/meminfo"))
    shared, records = (int(found.get(name, "0 kB").split()[0]) << 10 for name in ("Shmem", "SUnreclaim"))
    return shared - scratch(), records


def scratch():
    """Returns the bytes in the folders that a script can write to: they are in memory."""
    used = 0
    for folder in SCRATCH:
        try:
            usage = os.statvfs(folder)
            used += (usage.f_blocks - usage.f_bfree) * usage.f_frsize
        except OSError:
            pass
    return used


def lines(path):
    try:
        with open(path, errors="replace") as file:  # a process can choose any name
            return file.read().splitlines()
    except OSError:
        return []


def first_line(path):
    return next(iter(lines(path)), "")


def kernel_memory(pid):
    """Returns the bytes of page tables, of swapped memory, and those that can wait in pipes."""
    found = dict(line.split(":", 1) for line in lines("/proc/%s/status" % pid) if line.startswith(("Vm", "FDSize")))
    tables = sum(int(found.get(name, "0 kB").split()[0]) << 10 for name in ("VmPTE", "VmSwap"))
    # Since Linux 6.2 the size of the folder is the number of descriptors; before, the size of their table is used.
    descriptors = os.stat("/proc/%s/fd" % pid).st_size or int(found.get("FDSize", 0))
    return tables + max(0, descriptors - FREE_DESCRIPTORS) * DESCRIPTOR


def terminals():
    try:
        return max(0, len(os.listdir("/dev/pts")) - FREE_TERMINALS) * TERMINAL
    except OSError:
        return 0


def records_of(pids, most):
    """Estimates the kernel's records of mappings and locks, because counting millions of them would take too long."""
    mappings = sum(is_long("/proc/%s/maps" % pid) for pid in pids) * MOST_MAPPINGS * RECORD
    return most if is_long("/proc/locks") else mappings


def is_long(path):
    """Returns whether a list has thousands of lines, or is not readable."""
    try:
        with open(path, "rb") as file:
            return len(file.read(LONG)) == LONG
    except OSError as error:
        return isinstance(error, PermissionError)  # else its process has ended


def has_shared_anonymous(pid):
    """Returns whether a process has anonymous shared memory, or its list of mappings is not readable or too long."""
    try:
        with open("/proc/%s/maps" % pid, "rb") as file:
            text = file.read(LONGEST)
            return len(text) == LONGEST or b"/dev/zero (deleted)" in text
    except PermissionError:
        return True
    except OSError:
        return False  # it has ended


def share_of(pid, most, until):
    """Returns the memory of a process, with shared pages in proportion; the whole if that can't be read in time."""
    if monotonic() > until:
        return most
    try:
        with open("/proc/%s/smaps_rollup" % pid, "rb") as file:
            return next(int(line.split()[1]) << 10 for line in file if line.startswith(b"Pss_Anon:"))
    except (FileNotFoundError, ProcessLookupError):
        return 0  # it has ended
    except (OSError, StopIteration):
        return most
