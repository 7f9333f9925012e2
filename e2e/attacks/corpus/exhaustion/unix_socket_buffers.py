# tries: to hold more memory than allowed in the buffers of Unix sockets, which are in no process's count
# escaped if: ESCAPED is printed
# status: ok out_of_memory script_error
import os, socket, time
BOUND = 640 << 20  # with a limit of 512 MiB
held, pairs = 0, []
piece = b"x" * 65536
read, write = os.pipe()
for child in range(8):
    if os.fork() == 0:
        try:
            while True:
                pair = socket.socketpair()
                pairs.append(pair)
                for one in pair:
                    one.setblocking(False)
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
                    try:
                        while True:
                            os.write(write, one.send(piece).to_bytes(4, "big"))
                    except BlockingIOError:
                        pass
        except OSError:
            pass
        time.sleep(15)
        os._exit(0)
os.close(write)
os.set_blocking(read, False)
until = time.monotonic() + 8
while time.monotonic() < until and held < BOUND:
    try:
        counts = os.read(read, 1 << 16)
    except BlockingIOError:
        time.sleep(0.01)
        continue
    held += sum(int.from_bytes(counts[at:at + 4], "big") for at in range(0, len(counts), 4))
time.sleep(1.5)  # for whoever counts
print("ESCAPED" if held >= BOUND else "held", held >> 20, "MiB")
