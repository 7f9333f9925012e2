# tries: to talk to the kernel by netlink: routes, audit, connector, uevents
# escaped if: ESCAPED is printed
import socket
for protocol in range(32):
    for kind in (socket.SOCK_RAW, socket.SOCK_DGRAM, socket.SOCK_RAW | socket.SOCK_CLOEXEC):
        try:
            socket.socket(16, kind, protocol); print("ESCAPED", protocol)
        except OSError:
            pass
