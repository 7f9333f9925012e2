# tries: to reach names of the company's network that only the upstream proxy can resolve
# escaped if: the upstream proxy is asked for them
# server: upstream
# host check: upstream_receives_nothing
import socket
for request in ("CONNECT @TOKEN@.corp.invalid:443", "CONNECT @TOKEN@.127.0.0.1.nip.invalid:8443",
                "GET http://@TOKEN@.invalid/", "GET http://wiki.@TOKEN@/"):
    try:
        s = socket.create_connection(("127.0.0.1", 3128), 3); s.settimeout(15)
        s.send(f"{request} HTTP/1.1\r\n\r\n".encode()); print(s.recv(300).splitlines()[0])
    except OSError as error:
        print(request, error)
