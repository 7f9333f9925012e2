# tries: to keep the output pipes open after the end
# escaped if: a process is left, or ESCAPED is printed
import os, sys
if os.fork() == 0:
    os.setsid()
    os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(120)", "@TOKEN@"])
