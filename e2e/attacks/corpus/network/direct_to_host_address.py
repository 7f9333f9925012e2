# tries: to reach the host's address without the proxy
# escaped if: the host's listener is reached, or ESCAPED is printed
# without isolation: run
import socket
s = socket.create_connection(("@HOSTIP@", @PORT@), 3); s.send(b"@TOKEN@"); print("ESCAPED")
