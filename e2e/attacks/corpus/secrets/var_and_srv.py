# tries: to read logs, mail and served files
# escaped if: ESCAPED is printed
# without isolation: run
import os
for folder in ("/var/log", "/var/lib", "/var/spool", "/srv", "/opt", "/mnt", "/media", "/boot", "/root"):
    if os.path.isdir(folder) and os.listdir(folder):
        print("ESCAPED", folder)
