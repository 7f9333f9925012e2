# tries: to reach a public host though none is allowed
# escaped if: ESCAPED is printed
# server: allow-host
import socket
for host in ("example.com", "example.org", "198.51.100.1", "[2001:db8::1]"):
    s = socket.create_connection(("127.0.0.1", 3128), 3); s.settimeout(5)
    s.send(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    print("ESCAPED" if s.recv(200).split(b" ")[1:2] == [b"200"] else "refused")
