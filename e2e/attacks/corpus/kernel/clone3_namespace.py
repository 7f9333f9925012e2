# tries: to enter new namespaces by clone3
# escaped if: ESCAPED is printed
import ctypes, os, struct
args = ctypes.create_string_buffer(struct.pack("<8Q", 0x10000000, 0, 0, 0, 17, 0, 0, 0))
pid = ctypes.CDLL(None).syscall(435, args, 64)
if pid == 0: os._exit(0)
print("ESCAPED" if pid > 0 else "refused")
