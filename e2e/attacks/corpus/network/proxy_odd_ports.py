# tries: to use the proxy for mail or shells
# escaped if: ESCAPED is printed
# without isolation: run
import socket
for port in (22, 25, 0, 65536, -1):
    try:
        s = socket.create_connection(("127.0.0.1", 3128), 3)
        s.send(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode()); print("ESCAPED" if b" 200" in s.recv(100) else "refused")
    except OSError as error:
        print(error)
