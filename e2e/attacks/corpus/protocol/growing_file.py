# tries: to hand back a file that grows while it is read
# escaped if: ESCAPED is printed
import os
if os.fork() == 0:
    os.setsid()
    with open("growing.txt", "ab") as file:
        while True:
            file.write(b"x" * 65536); file.flush()
