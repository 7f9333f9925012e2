# tries: to disarm the kill that follows the parent's death, by clearing its signal or by another signal
# escaped if: a process is left, or ESCAPED is printed
# status: timed_out
# timeout: 2
import ctypes, os, sys, time
libc = ctypes.CDLL(None, use_errno=True)
for signal in [*range(9), *range(10, 65), 1 << 32]:
    print("ESCAPED" if libc.prctl(1, ctypes.c_ulong(signal), 0, 0, 0) == 0 else "refused", flush=True)
libc.prctl(1, 9, 0, 0, 0)
print("ESCAPED" if libc.prctl(1, 0, 0, 0, 0) == 0 else "refused", flush=True)
if os.fork() == 0:
    os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(120)", "@TOKEN@"])
time.sleep(60)
