# tries: to make the node of a disk
# escaped if: ESCAPED is printed
import os, stat
try:
    os.mknod("disk", 0o660 | stat.S_IFBLK, os.makedev(8, 0)); print("ESCAPED")
except OSError as error:
    print(error)
