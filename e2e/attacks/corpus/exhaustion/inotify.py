# tries: to take the user's inotify instances
# escaped if: ESCAPED is printed
import ctypes
libc = ctypes.CDLL(None)
print("ESCAPED" if sum(libc.inotify_init() >= 0 for _ in range(200)) >= 128 else "bounded")
