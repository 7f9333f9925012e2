# tries: to reach seldom-used code of the kernel through protocols of the usual socket families
# escaped if: ESCAPED is printed
import socket
usual = {(socket.SOCK_STREAM, 0), (socket.SOCK_STREAM, 6), (socket.SOCK_DGRAM, 0), (socket.SOCK_DGRAM, 17)}
for family in (socket.AF_INET, socket.AF_INET6):
    for kind in (1, 2, 5):
        for protocol in (*range(256), 262, 263, (1 << 31) + 6):
            if (kind, protocol) not in usual:
                try:
                    socket.socket(family, kind, protocol); print("ESCAPED", family, kind, protocol)
                except (OSError, OverflowError):
                    pass
socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP).close()
socket.socket(socket.AF_INET6, socket.SOCK_DGRAM, socket.IPPROTO_UDP).close()
socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET).close()
