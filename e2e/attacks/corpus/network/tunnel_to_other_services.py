# tries: to reach mail, shells and file shares of an allowed host
# escaped if: the upstream proxy is asked for them
# server: upstream allow-host
# host check: upstream_receives_nothing
import socket
for port in (1, 21, 22, 23, 25, 110, 143, 389, 445, 465, 587, 636, 993, 1023):
    for request in (f"CONNECT @TOKEN@.allowed.invalid:{port}", f"GET http://@TOKEN@.allowed.invalid:{port}/"):
        s = socket.create_connection(("127.0.0.1", 3128), 3); s.settimeout(15)
        s.send(f"{request} HTTP/1.1\r\n\r\n".encode()); print(s.recv(300).splitlines()[0])
