# tries: to reach the host's own network
# escaped if: the host's listener is reached, or ESCAPED is printed
import socket
for host in ("@HOSTIP@", "10.0.0.1", "192.168.0.1", "172.16.0.1", "100.64.0.1", "[fe80::1]", "[fc00::1]", "224.0.0.1"):
    try:
        s = socket.create_connection(("127.0.0.1", 3128), 3)
        s.send(f"CONNECT {host}:@PORT@ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        print("ESCAPED" if s.recv(200).split(b" ")[1:2] == [b"200"] else "refused")
    except OSError as error:
        print(host, error)
