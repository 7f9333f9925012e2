# tries: to read logs, mail and served files
# escaped if: ESCAPED is printed
# without isolation: run
import os
def names(folder):
    try:
        return os.listdir(folder)
    except OSError:
        return []
for folder in ("/var/log", "/var/lib", "/var/spool", "/srv", "/opt", "/mnt", "/media", "/boot", "/root"):
    if names(folder):
        print("ESCAPED", folder)
