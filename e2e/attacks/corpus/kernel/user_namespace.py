# tries: to become root in a user namespace
# escaped if: ESCAPED is printed
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000, 0x08000000, 0x04000000, 0x02000000):
    if libc.unshare(flag) == 0:
        print("ESCAPED", hex(flag))
