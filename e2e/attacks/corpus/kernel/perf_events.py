# tries: to watch the kernel by its counters
# escaped if: ESCAPED is printed
import ctypes
buffer = ctypes.create_string_buffer(128); buffer[4] = 128
print("ESCAPED" if ctypes.CDLL(None).syscall(298, buffer, 0, -1, -1, 0) >= 0 else "refused")
