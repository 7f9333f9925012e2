# tries: to enter new namespaces by clone
# escaped if: ESCAPED is printed
import ctypes, os
pid = ctypes.CDLL(None, use_errno=True).syscall(56, 0x10000011, 0, 0, 0, 0)
if pid == 0: os._exit(0)
print("ESCAPED" if pid > 0 else "refused")
