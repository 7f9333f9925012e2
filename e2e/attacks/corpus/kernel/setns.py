# tries: to enter the namespaces of the first process
# escaped if: ESCAPED is printed
import ctypes, os
libc = ctypes.CDLL(None)
for kind in ("mnt", "pid", "net", "user"):
    try:
        if libc.setns(os.open(f"/proc/{os.getppid()}/ns/{kind}", os.O_RDONLY), 0) == 0: print("ESCAPED", kind)
    except OSError as error:
        print(error)
