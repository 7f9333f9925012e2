# tries: to stop the supervisor so that nobody watches
# escaped if: its status is not the one below, or ESCAPED is printed
# status: timed_out ok script_error
# timeout: 3
import os, signal, time
os.kill(1, signal.SIGSTOP); os.kill(os.getppid(), signal.SIGSTOP)
print("still here")
