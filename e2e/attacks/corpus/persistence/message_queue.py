# tries: to leave a message queue
# escaped if: ESCAPED is printed
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print("ESCAPED" if libc.msgget(0x5EC4E7, 0o1666) >= 0 or libc.semget(0x5EC4E7, 1, 0o1666) >= 0 else "refused")
