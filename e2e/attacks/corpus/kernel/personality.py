# tries: to switch off address randomization
# escaped if: ESCAPED is printed
import ctypes
print("ESCAPED" if ctypes.CDLL(None).personality(0x0040000) >= 0 else "refused")
