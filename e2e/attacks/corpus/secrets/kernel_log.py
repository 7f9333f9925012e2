# tries: to read the kernel's log
# escaped if: ESCAPED is printed
# without isolation: run
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(1 << 16)
print("ESCAPED" if libc.klogctl(3, buffer, len(buffer)) > 0 else "refused")
open("/dev/kmsg").read(10); print("ESCAPED")
