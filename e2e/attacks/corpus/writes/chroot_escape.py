# tries: to leave by chroot
# escaped if: ESCAPED is printed
import os
try:
    os.mkdir("jail"); os.chroot("jail"); print("ESCAPED")
except OSError as error:
    print(error)
