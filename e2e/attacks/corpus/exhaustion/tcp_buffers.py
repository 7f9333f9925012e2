# tries: to hold more memory than allowed in the buffers of TCP connections within the sandbox
# escaped if: ESCAPED is printed
# status: ok out_of_memory script_error
import socket, time
BOUND = 640 << 20  # with a limit of 512 MiB
listener = socket.create_server(("127.0.0.1", 0), backlog=512)
held, ends = 0, []
piece = b"x" * (1 << 18)
until = time.monotonic() + 8
try:
    while held < BOUND and time.monotonic() < until:
        one = socket.create_connection(listener.getsockname())
        other = listener.accept()[0]
        ends += [one, other]
        for end in (one, other):
            end.setblocking(False)
            quiet = 0
            while quiet < 3 and held < BOUND:
                try:
                    held += end.send(piece)
                    quiet = 0
                except BlockingIOError:
                    quiet += 1
                    time.sleep(0.001)
except OSError as error:
    print(error)
time.sleep(1.5)  # for whoever counts
print("ESCAPED" if held >= BOUND else "held", held >> 20, "MiB")
