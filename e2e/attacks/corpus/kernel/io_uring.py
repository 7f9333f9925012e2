# tries: to make system calls that no filter sees
# escaped if: ESCAPED is printed
import ctypes
print("ESCAPED" if ctypes.CDLL(None).syscall(425, 8, ctypes.create_string_buffer(120)) >= 0 else "refused")
