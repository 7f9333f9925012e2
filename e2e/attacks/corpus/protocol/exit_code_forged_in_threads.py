# tries: to exit with 3 and have 0 reported, by writing frames to the supervisor's descriptors
# escaped if: its status is not the one below
# status: script_error
import os, socket, sys
held = []
for _ in range(4):
    try:
        held.append(socket.create_connection(("127.0.0.1", 3128), 1))
    except OSError:
        break
words = b"code=0 cpu_us=1 peak=1 oom=0"
forged = b"D\0\0\0\0" + b"X" + len(words).to_bytes(4, "big") + words
for number in range(1, 200):
    if number == os.getpid():
        continue
    for fd in (90, 1):
        try:
            os.write(os.open(f"/proc/{number}/fd/{fd}", os.O_WRONLY | os.O_NONBLOCK), forged)
        except OSError:
            pass
sys.exit(3)
