# tries: to outlive the run as a daemon
# escaped if: a process is left, or ESCAPED is printed
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(120)", "@TOKEN@"])
    os._exit(0)
os.wait()
