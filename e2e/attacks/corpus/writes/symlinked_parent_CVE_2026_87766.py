# tries: to put a link where the next sandbox's mounts go
# escaped if: something new is in the host's folder, or ESCAPED is printed
import os
for path in ("/work", "/tmp", "/home/user", "/data", "/run"):
    try:
        os.rename(path, path + "-moved"); os.symlink("@HOMEDIR@", path); print("ESCAPED", path)
    except OSError as error:
        print(error)
