# tries: to run while its sandbox waits, by a timer that continues the stopped process
# escaped if: the timer has woken it more than twice
# dependencies: evil-alarm
# host check: waiting_sandbox_takes_it
import numpy
import os

if os.path.exists("/tmp/woken") and os.path.getsize("/tmp/woken") > 8:
    print("ESCAPED: woken", os.path.getsize("/tmp/woken"), "times")
