# tries: to crash the supervisor by a process name that is not UTF-8
# escaped if: its status is not the one below
# status: ok
import time
with open("/proc/self/comm", "wb") as file:
    file.write(b"\xff\xfe")
time.sleep(1)
print("the script goes on")
