# tries: to leave shared memory for other processes of the host
# escaped if: ESCAPED is printed
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print("ESCAPED" if libc.shmget(0x5EC4E7, 4096, 0o1666) >= 0 else "refused")
