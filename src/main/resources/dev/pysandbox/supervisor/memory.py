"""Counts the memory that the processes of a sandbox use, and what the kernel holds for them that is in no process's count.

A control group counts nearly all of it. Without one the counts here are the only bound. supervisor.py gives it tree.
"""

import os

PAGE = os.sysconf("SC_PAGE_SIZE")
SOCKET_BUFFERS = 2 * 212_992  # the most that waits unread in a Unix or UDP socket, unless the system says otherwise
FREE_SOCKETS = 32
DESCRIPTOR = 4096  # half of the smallest pipe
FREE_DESCRIPTORS = 64  # of each process
TERMINAL = 1 << 17
FREE_TERMINALS = 8
# Those that the kernel makes in each new network namespace. Where there are others, the network is the host's.
OWN_INTERFACES = {"lo", "tunl0", "gre0", "gretap0", "erspan0", "ip_vti0", "ip6_vti0", "sit0", "ip6tnl0", "ip6gre0"}


class Count:
    def __init__(self, child, scratch, counted):
        """counted says that a control group counts memory that processes share too."""
        self.child, self.scratch = child, scratch
        self.own_network = {line.split(":")[0].strip() for line in self.net("dev")[2:]} <= OWN_INTERFACES
        self.socket_buffers = 2 * int(first_line("/proc/sys/net/core/wmem_default") or SOCKET_BUFFERS // 2)
        self.shared_before = None if counted or os.getpid() != 1 else self.shared_anonymous()

    def in_use(self, limit, connections):
        """Bytes in use. Pages that processes share since a fork are in the count of each: above the limit, each is
        counted by its share. connections are the supervisor's own, to the proxy."""
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
            # Twice: the share of those that are left grows with each process that ends while we count.
            used = min(sum(share_of(pid, most) for pid, most in own.items()) for _ in range(2)) + shared + kernel
        return used

    def sockets(self, connections):
        """What can wait in sockets, in a network namespace that is the sandbox's alone. Of TCP the kernel tells how much
        it is, in bytes; of the others, how many there are."""
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
        """Shared memory without a name, which stays when it is in no process's count any more. The kernel tells only how
        much the whole machine has; it is taken to be ours if it grew by a large part of the limit while one of our
        processes has such memory."""
        if self.shared_before is None:
            return 0
        grown = self.shared_anonymous() - self.shared_before
        return grown if grown > limit // 2 and any(map(has_shared_anonymous, pids)) else 0

    def shared_anonymous(self):
        """Of the whole machine, without what is in our own folders."""
        files = 0
        for folder in self.scratch:
            try:
                found = os.statvfs(folder)
                files += (found.f_blocks - found.f_bfree) * found.f_frsize
            except OSError:
                pass
        return sum(int(line.split()[1]) << 10 for line in lines("/proc/meminfo") if line.startswith("Shmem:")) - files

    def net(self, name):
        return lines("/proc/%d/net/%s" % (self.child, name))


def lines(path):
    try:
        with open(path) as file:
            return file.read().splitlines()
    except OSError:
        return []


def first_line(path):
    return next(iter(lines(path)), "")


def kernel_memory(pid):
    """Page tables, memory that was moved to disk, and what can wait in pipes."""
    found = dict(line.split(":", 1) for line in lines("/proc/%s/status" % pid) if line.startswith(("Vm", "FDSize")))
    tables = sum(int(found.get(name, "0 kB").split()[0]) << 10 for name in ("VmPTE", "VmSwap"))
    # Since Linux 6.2 the size of the folder is the number of descriptors; before, the size of their table must do.
    descriptors = os.stat("/proc/%s/fd" % pid).st_size or int(found.get("FDSize", 0))
    return tables + max(0, descriptors - FREE_DESCRIPTORS) * DESCRIPTOR


def terminals():
    try:
        return max(0, len(os.listdir("/dev/pts")) - FREE_TERMINALS) * TERMINAL
    except OSError:
        return 0


def has_shared_anonymous(pid):
    """Whether a process has shared memory without a name; one that does not let us look is taken to have some."""
    try:
        with open("/proc/%s/maps" % pid) as file:
            return any("/dev/zero (deleted)" in line for line in file)
    except PermissionError:
        return True
    except OSError:
        return False  # it has ended


def share_of(pid, most):
    """A page that three processes hold counts for a third; who does not let us look counts as a whole."""
    try:
        with open("/proc/%s/smaps_rollup" % pid, "rb") as file:
            return next(int(line.split()[1]) << 10 for line in file if line.startswith(b"Pss_Anon:"))
    except (FileNotFoundError, ProcessLookupError):
        return 0  # it has ended
    except (OSError, StopIteration):
        return most
