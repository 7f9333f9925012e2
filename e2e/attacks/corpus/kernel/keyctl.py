# tries: to use the kernel's keyrings
# escaped if: ESCAPED is printed
import ctypes
print("ESCAPED" if ctypes.CDLL(None).syscall(250, 0, -4, 0) >= 0 else "refused")
