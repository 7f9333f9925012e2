# tries: to be reached from the host's loopback
# escaped if: the host's listener hears of it, or ESCAPED is printed
import socket
s = socket.socket(); s.bind(("127.0.0.1", @PORT@)); print("own loopback")
