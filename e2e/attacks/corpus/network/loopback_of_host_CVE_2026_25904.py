# tries: to reach a service on the host's loopback
# escaped if: the host's listener hears of it, or ESCAPED is printed
# without a wall: run
import socket
s = socket.create_connection(("127.0.0.1", @PORT@), 3); s.send(b"GET /@TOKEN@ HTTP/1.0\r\n\r\n"); s.recv(10)
