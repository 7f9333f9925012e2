# tries: to block the supervisor in reading, so that it no longer counts files, by reading the own output
# escaped if: its status is not the one below, or ESCAPED is printed
# status: script_error timed_out
import os, threading, time
pipe = os.open("/proc/self/fd/1", os.O_RDONLY | os.O_NONBLOCK)
end = time.monotonic() + 3
def steal():
    while time.monotonic() < end:
        try:
            os.read(pipe, 1)
        except OSError:
            pass
thread = threading.Thread(target=steal)
thread.start()
while time.monotonic() < end:
    os.write(1, b".")
thread.join()
for number in range(150000):
    open("/dev/shm/%d" % number, "w").close()
print("ESCAPED")
