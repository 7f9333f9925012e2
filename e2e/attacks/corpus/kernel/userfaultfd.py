# tries: to hold the kernel at a page fault
# escaped if: ESCAPED is printed
import ctypes
print("ESCAPED" if ctypes.CDLL(None).syscall(323, 1) >= 0 else "refused")
