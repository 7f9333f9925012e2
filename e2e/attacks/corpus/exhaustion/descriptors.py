# tries: to open files without end
# escaped if: ESCAPED is printed
import os
fds = []
try:
    while len(fds) < 100_000:
        fds.append(os.dup(1))
    print("ESCAPED")
except OSError as error:
    os.close(fds[-1]); print(len(fds), error)
