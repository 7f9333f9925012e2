# tries: to write frames to every inherited descriptor
# escaped if: ESCAPED is printed
import os
for fd in range(3, 256):
    try:
        os.write(fd, b"X\0\0\0\x06code=0"); print("ESCAPED", fd)
    except OSError:
        pass
