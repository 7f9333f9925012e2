# tries: to hand back pipes, sockets and devices
# escaped if: ESCAPED is printed
import os, socket
os.mkfifo("pipe.txt"); socket.socket(socket.AF_UNIX).bind("socket.txt"); os.symlink("/dev/zero", "zero.txt"); os.symlink(".", "loop")
