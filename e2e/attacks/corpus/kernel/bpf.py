# tries: to load a program into the kernel
# escaped if: ESCAPED is printed
import ctypes
print("ESCAPED" if ctypes.CDLL(None).syscall(321, 0, ctypes.create_string_buffer(128), 72) >= 0 else "refused")
