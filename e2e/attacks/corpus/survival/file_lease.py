# tries: to make other programs wait that open the files which all sandboxes share
# escaped if: a lease on a file of the environment, of the supervisor or of /data is granted
import fcntl
import os
import signal

signal.signal(signal.SIGIO, signal.SIG_IGN)
for folder in ("/env", "/run/supervisor", "/data", "/work"):
    for root, _, names in os.walk(folder):
        for name in names:
            for what, command, argument in (("lease", 1024, fcntl.F_WRLCK), ("delegation", 1040, fcntl.F_RDLCK)):
                try:
                    with open(os.path.join(root, name)) as file:
                        fcntl.fcntl(file, command, argument)
                    print("ESCAPED:", what, "on", root, name)
                except OSError:
                    pass
try:
    fcntl.fcntl(os.open("/env", os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS)
    print("ESCAPED: notified of others' use of /env")
except OSError:
    pass
