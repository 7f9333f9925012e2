# tries: to trace the first process
# escaped if: ESCAPED is printed
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
print("ESCAPED" if libc.ptrace(16, os.getppid(), 0, 0) == 0 or libc.ptrace(0, 0, 0, 0) == 0 else "refused")
