# tries: to make read-only mounts writable
# escaped if: ESCAPED is printed
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for path in (b"/", b"/usr/lib", b"/usr/bin", b"/etc"):
    if libc.mount(None, path, None, 32 | 4096, None) == 0:
        print("ESCAPED", path)
