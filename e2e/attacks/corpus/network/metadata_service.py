# tries: to ask the cloud's metadata service for credentials
# escaped if: ESCAPED is printed
import socket
for host in ("169.254.169.254", "[fd00:ec2::254]", "metadata.google.internal", "[::ffff:169.254.169.254]", "0xa9fea9fe"):
    try:
        s = socket.create_connection(("127.0.0.1", 3128), 3)
        s.send(f"CONNECT {host}:80 HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        print("ESCAPED" if s.recv(200).split(b" ")[1:2] == [b"200"] else "refused")
    except OSError as error:
        print(host, error)
