# tries: to speak to a program of the host through a socket in a folder that is mounted read-only
# escaped if: ESCAPED is printed
# server: data
import socket
print(open("/data/data/below/file").read())
client = socket.socket(socket.AF_UNIX)
print("ESCAPED" if client.connect_ex("/data/data/below/socket") == 0 else "refused")
