# tries: to give the server a very deep folder to walk
# escaped if: ESCAPED is printed
import os
for _ in range(2000):
    os.mkdir("d" * 100); os.chdir("d" * 100)
