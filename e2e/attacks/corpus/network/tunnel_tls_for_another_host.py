# tries: to reach another host behind the address of an allowed one, by the server name of TLS
# escaped if: the other end receives that name
# server: upstream allow-host
# host check: upstream_receives_nothing
import socket, ssl
incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
client = ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname="@TOKEN@.invalid")
try:
    client.do_handshake()
except ssl.SSLWantReadError:
    hello = outgoing.read()
pieces = b"".join(b"\x16\x03\x01" + len(p).to_bytes(2, "big") + p for p in (hello[5:20], hello[20:]))
for said in (hello, pieces):
    try:
        s = socket.create_connection(("127.0.0.1", 3128), 3); s.settimeout(5)
        s.send(b"CONNECT allowed.invalid:443 HTTP/1.1\r\n\r\n"); print(s.recv(100).splitlines()[0])
        s.send(said); print(s.recv(100))
    except OSError as error:
        print(error)
