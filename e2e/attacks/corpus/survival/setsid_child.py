# tries: to outlive the run in a session of its own
# escaped if: a process is left, or ESCAPED is printed
import subprocess, sys
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)", "@TOKEN@"], start_new_session=True)
