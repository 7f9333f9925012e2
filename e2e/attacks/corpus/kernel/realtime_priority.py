# tries: to take a realtime priority
# escaped if: ESCAPED is printed
import os
for action in (lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)), lambda: os.nice(-10)):
    try:
        action(); print("ESCAPED")
    except OSError as error:
        print(error)
