# tries: to take memory that no limit counts
# escaped if: ESCAPED is printed
# status: ok out_of_memory
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)  # not every Python was built with os.memfd_create
try:
    fd = libc.memfd_create(b"x", 0)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "memfd_create")
    for _ in range(64):
        os.write(fd, b"x" * (32 << 20))
    print("ESCAPED")
except OSError as error:
    print(error)
