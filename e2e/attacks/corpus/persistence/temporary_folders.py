# tries: to leave a file for the next run
# escaped if: ESCAPED is printed
import os
print("ESCAPED" if any(os.path.exists(f + "/attack-trace") for f in ("/tmp", "/dev/shm", "/home/user", "/work", ".")) else "fresh")
for folder in ("/tmp", "/dev/shm", "/home/user", "/work"):
    try:
        open(folder + "/attack-trace", "w").write("x")
    except OSError:
        pass
