# tries: to take a controlling terminal of the host
# escaped if: ESCAPED is printed
import os
try:
    os.open("/dev/tty", os.O_RDWR); print("ESCAPED")
except OSError as error:
    print(error)
