# tries: to leave a key in the kernel's keyring
# escaped if: ESCAPED is printed
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print("ESCAPED" if libc.syscall(248, b"user", b"attack", b"x", 1, -4) >= 0 else "refused")
