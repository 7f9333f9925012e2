# tries: to be reached from the host's loopback
# escaped if: the host's listener is reached, or ESCAPED is printed
import socket
s = socket.socket(); s.bind(("127.0.0.1", @PORT@)); print("own loopback")
