# tries: to reach a public host though none is allowed
# escaped if: ESCAPED is printed
# server: allow-host
# without a wall: run
import socket
for host in ("example.com", "pypi.org", "1.1.1.1", "[2606:4700:4700::1111]"):
    s = socket.create_connection(("127.0.0.1", 3128), 3); s.settimeout(5)
    s.send(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    print("ESCAPED" if s.recv(200).split(b" ")[1:2] == [b"200"] else "refused")
