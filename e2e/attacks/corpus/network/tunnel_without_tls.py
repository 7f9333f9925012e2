# tries: to speak something else than TLS in a tunnel to an allowed host
# escaped if: the other end receives it
# server: upstream allow-host
# host check: upstream_receives_nothing
import socket
for said in (b"EHLO @TOKEN@\r\n", b"GET /@TOKEN@ HTTP/1.1\r\n\r\n", b"SSH-2.0-@TOKEN@\r\n", b"\x16\x03\x01\x00\x30@TOKEN@" + bytes(30)):
    try:
        s = socket.create_connection(("127.0.0.1", 3128), 3); s.settimeout(5)
        s.send(b"CONNECT allowed.invalid:443 HTTP/1.1\r\n\r\n"); print(s.recv(100).splitlines()[0])
        s.send(said); print(s.recv(100))
    except OSError as error:
        print(error)
