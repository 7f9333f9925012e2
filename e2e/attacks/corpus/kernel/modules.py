# tries: to load a kernel module
# escaped if: ESCAPED is printed
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall(175, b"x", 1, b""); print("ESCAPED" if ctypes.get_errno() not in (1, 38) else "refused")
