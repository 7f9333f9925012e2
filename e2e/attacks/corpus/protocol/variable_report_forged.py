# tries: to write to the channel for variables
# escaped if: ESCAPED is printed
# variables: x
import os
x = 1
for _ in range(2000):
    try:
        os.write(99, b"x\0{\"value\": \"forged\"}\n" + b"y" * 1000 + b"\n")
    except OSError:
        break
