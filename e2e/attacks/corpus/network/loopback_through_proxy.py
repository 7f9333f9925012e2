# tries: to reach it through the proxy, in every spelling
# escaped if: the host's listener is reached, or ESCAPED is printed
# without isolation: run
import os, socket
for host in ("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.1", "2130706433", "0x7f000001", "[::ffff:127.0.0.1]", "localhost.", "127.0.0.1.nip.io", "[::]"):
    try:
        s = socket.create_connection(("127.0.0.1", 3128), 3)
        s.send(f"CONNECT {host}:@PORT@ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        if b" 200" in s.recv(200):
            s.send(b"GET /@TOKEN@ HTTP/1.0\r\n\r\n"); s.recv(100)
    except OSError as error:
        print(host, error)
