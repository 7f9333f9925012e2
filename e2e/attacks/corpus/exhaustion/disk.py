# tries: to fill the disk
# escaped if: ESCAPED is printed
written = 0
for folder in ("/tmp", "/work", "/home/user", "/dev/shm"):
    try:
        with open(folder + "/big", "wb") as file:
            while written < 2 << 30:
                written += file.write(b"x" * (8 << 20))
    except OSError as error:
        print(folder, error)
print("ESCAPED" if written > 1 << 30 else "bounded")
