# tries: to reach seldom-used code of the kernel
# escaped if: ESCAPED is printed
import socket
for family in (3, 4, 5, 9, 15, 16, 17, 21, 29, 30, 31, 35, 38, 39, 40, 41, 44):
    for kind in (1, 2, 3, 5):
        try:
            socket.socket(family, kind, 0); print("ESCAPED", family)
        except OSError:
            pass
