# tries: to change clock and host name
# escaped if: ESCAPED is printed
import ctypes, socket, time
for action in (lambda: time.clock_settime(time.CLOCK_REALTIME, 0), lambda: socket.sethostname("x")):
    try:
        action(); print("ESCAPED")
    except OSError as error:
        print(error)
