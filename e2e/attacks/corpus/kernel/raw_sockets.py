# tries: to send raw packets
# escaped if: ESCAPED is printed
import socket
for family, kind in ((socket.AF_INET, socket.SOCK_RAW), (socket.AF_PACKET, socket.SOCK_RAW), (socket.AF_INET6, socket.SOCK_RAW)):
    try:
        socket.socket(family, kind, 1); print("ESCAPED")
    except OSError as error:
        print(error)
