# tries: to call by the numbers of another ABI
# escaped if: its status is not the one below, or ESCAPED is printed
# status: script_error ok
import ctypes
print("ESCAPED" if ctypes.CDLL(None).syscall(0x40000000 + 39) > 0 else "refused")
