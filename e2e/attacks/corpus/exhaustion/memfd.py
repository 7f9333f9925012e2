# tries: to take memory that no limit counts
# escaped if: ESCAPED is printed
import os
try:
    fd = os.memfd_create("x")
    for _ in range(64):
        os.write(fd, b"x" * (32 << 20))
    print("ESCAPED")
except OSError as error:
    print(error)
