# tries: to reach the supervisor's memory and descriptors by system calls that take a process or thread
# escaped if: ESCAPED is printed
import ctypes, os, socket
try:
    held = socket.create_connection(("127.0.0.1", 3128), 1)
except OSError:
    pass
libc = ctypes.CDLL(None, use_errno=True)
class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
buffer = ctypes.create_string_buffer(8)
here, there = Vector(ctypes.addressof(buffer), 8), Vector(id(os), 8)
own = {os.getpid(), *map(int, os.listdir("/proc/self/task"))}
for number in range(1, 1000):
    if number in own:
        continue
    for name in ("process_vm_readv", "process_vm_writev"):
        if getattr(libc, name)(number, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) > 0:
            print("ESCAPED", name, number)
    for request in (16, 0x4206):  # PTRACE_ATTACH, PTRACE_SEIZE
        if libc.ptrace(request, number, 0, 0) == 0:
            print("ESCAPED ptrace", number)
    for flags in (0, 0o200):  # PIDFD_THREAD
        pidfd = libc.syscall(434, number, flags)
        for fd in (0, 1, 90) if pidfd >= 0 else ():
            if libc.syscall(438, pidfd, fd, 0) >= 0:
                print("ESCAPED pidfd_getfd", number, fd)
        if pidfd >= 0:
            os.close(pidfd)
    if libc.syscall(312, number, os.getpid(), 0, 0, 0) >= 0:
        print("ESCAPED kcmp", number)
