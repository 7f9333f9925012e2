# tries: to open connections to the proxy without end
# escaped if: ESCAPED is printed
# without isolation: run
import socket
held = []
for _ in range(600):
    try:
        s = socket.create_connection(("127.0.0.1", 3128), 1); s.send(b"CONNECT "); held.append(s)
    except OSError:
        break
print(len(held))
