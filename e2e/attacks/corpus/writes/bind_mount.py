# tries: to bind one folder over another
# escaped if: ESCAPED is printed
import ctypes
if ctypes.CDLL(None).mount(b"/tmp", b"/usr/lib", None, 4096, None) == 0: print("ESCAPED")
