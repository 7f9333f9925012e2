# tries: to open a host file by its handle
# escaped if: ESCAPED is printed
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(128); buffer[0] = 64; mount = ctypes.c_int()
print("ESCAPED" if libc.name_to_handle_at(-100, b"/usr/lib", buffer, ctypes.byref(mount), 0) == 0 else "refused")
