# tries: to adopt orphans to hide them
# escaped if: a process is left, or ESCAPED is printed
import ctypes, os, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
if os.fork() == 0:
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(120)", "@TOKEN@"])
    os._exit(0)
