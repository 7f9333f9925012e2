# tries: to fork faster than one is killed
# escaped if: its status is not the one below, or ESCAPED is printed
# status: timed_out script_error
# timeout: 2
import os, sys, time
for _ in range(8):
    if os.fork() == 0:
        while True:
            if os.fork():
                os._exit(0)
            time.sleep(0.001)
time.sleep(60)
