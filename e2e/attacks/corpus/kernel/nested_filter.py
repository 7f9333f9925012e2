# tries: to add another filter
# escaped if: ESCAPED is printed
import ctypes
print("ESCAPED" if ctypes.CDLL(None).syscall(317, 2, 0, ctypes.byref(ctypes.c_uint32(0x7fff0000))) == 0 else "refused")
