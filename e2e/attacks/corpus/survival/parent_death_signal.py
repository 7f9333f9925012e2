# tries: to disarm the kill that follows the parent's death
# escaped if: a process is left, or ESCAPED is printed
# status: timed_out
# timeout: 2
import ctypes, os, sys, time
libc = ctypes.CDLL(None, use_errno=True)
print("ESCAPED" if libc.prctl(1, 0, 0, 0, 0) == 0 else "refused", flush=True)
if os.fork() == 0:
    os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(120)", "@TOKEN@"])
time.sleep(60)
