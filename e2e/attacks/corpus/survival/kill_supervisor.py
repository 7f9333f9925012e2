# tries: to kill the first process and live on
# escaped if: a process is left, or ESCAPED is printed
import os, signal, subprocess, sys
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)", "@TOKEN@"], start_new_session=True)
for number in range(1, 65):
    try:
        os.kill(1, number); os.kill(os.getppid(), number)
    except OSError:
        pass
