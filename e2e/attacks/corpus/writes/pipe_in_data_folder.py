# tries: to write to a program of the host through a named pipe in a folder that is mounted read-only
# escaped if: ESCAPED is printed
# server: data
import os
try:
    descriptor = os.open("/data/data/below/pipe", os.O_WRONLY | os.O_NONBLOCK)
    print("ESCAPED" if os.write(descriptor, b"x") else "")
except OSError as error:
    print(error)
