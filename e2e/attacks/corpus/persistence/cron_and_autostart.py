# tries: to have the host start something later
# escaped if: something new is in the host's folder, or ESCAPED is printed
import os
for path in ("/etc/cron.d/attack", "/var/spool/cron/attack", "/etc/ld.so.preload", "/etc/profile.d/attack.sh", "@HOMEDIR@/.bashrc-attack"):
    try:
        open(path, "w").write("x"); print("ESCAPED", path)
    except OSError:
        pass
