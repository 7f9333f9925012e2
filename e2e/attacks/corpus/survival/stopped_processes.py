# tries: to outlive as a stopped process
# escaped if: a process is left, or ESCAPED is printed
import os, signal, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)", "@TOKEN@"], start_new_session=True)
child.send_signal(signal.SIGSTOP)
