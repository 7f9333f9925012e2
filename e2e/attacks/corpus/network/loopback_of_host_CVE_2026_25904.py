# tries: to reach a service on the host's loopback
# escaped if: the host's listener is reached, or ESCAPED is printed
# without isolation: run
import socket
s = socket.create_connection(("127.0.0.1", @PORT@), 3); s.send(b"GET /@TOKEN@ HTTP/1.0\r\n\r\n"); s.recv(10)
