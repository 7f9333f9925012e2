# tries: to ignore the end of the time
# escaped if: its status is not the one below, or ESCAPED is printed
# status: timed_out
# timeout: 2
import signal, time
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
while True:
    time.sleep(1)
