# tries: to outlive the time by ignoring signals
# escaped if: a process is left, or ESCAPED is printed
# status: timed_out
# timeout: 2
import os, signal, subprocess, sys, time
child = "import signal, time; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 3, 15)]; time.sleep(120)"
subprocess.Popen([sys.executable, "-c", child, "@TOKEN@"], start_new_session=True)
time.sleep(60)
