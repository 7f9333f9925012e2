# tries: to look names up without the proxy
# escaped if: ESCAPED is printed
import socket
for name in ("localhost.localdomain.example", "example.com"):
    try:
        socket.getaddrinfo(name, 80); print("ESCAPED")
    except OSError as error:
        print(error)
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
try:
    s.sendto(b"x", ("192.0.2.53", 53)); print("ESCAPED")
except OSError as error:
    print(error)
