# tries: to kill all processes that can be seen
# escaped if: ESCAPED is printed
import os, signal
try:
    os.kill(-1, signal.SIGKILL)
except OSError as error:
    print(error)
