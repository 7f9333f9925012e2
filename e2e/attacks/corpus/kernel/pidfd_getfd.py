# tries: to take a descriptor from the first process
# escaped if: ESCAPED is printed
import ctypes, os
libc = ctypes.CDLL(None)
fd = libc.syscall(434, os.getppid(), 0)
print("ESCAPED" if any(libc.syscall(438, fd, n, 0) >= 0 for n in range(10)) else "refused")
