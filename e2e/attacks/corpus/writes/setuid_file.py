# tries: to leave a program that runs as somebody else
# escaped if: ESCAPED is printed
import os, shutil
shutil.copy("/bin/sh", "/tmp/sh")
try:
    os.chown("/tmp/sh", 0, 0); os.chmod("/tmp/sh", 0o4755); print("ESCAPED")
except OSError as error:
    print(error)
