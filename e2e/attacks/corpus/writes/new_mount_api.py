# tries: to mount with the newer system calls
# escaped if: ESCAPED is printed
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for number in (428, 429, 430, 432, 442):
    if libc.syscall(number, -100, b"/", 1, 0, 0) >= 0:
        print("ESCAPED", number)
