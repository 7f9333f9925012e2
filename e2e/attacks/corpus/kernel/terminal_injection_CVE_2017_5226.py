# tries: to type into the terminal of the user who runs the server
# escaped if: ESCAPED is printed
import fcntl
for fd in (0, 1, 2):
    try:
        fcntl.ioctl(fd, 0x5412, b"x"); print("ESCAPED")
    except OSError as error:
        print(error)
try:
    fcntl.ioctl(open("/dev/tty"), 0x5412, b"x"); print("ESCAPED")
except OSError as error:
    print(error)
