# tries: to take the place of the proxy's socket
# escaped if: ESCAPED is printed
import os
for action in (lambda: os.unlink("/run/proxy.sock"), lambda: os.rename("/run/proxy.sock", "/run/x"), lambda: os.chmod("/run/proxy.sock", 0)):
    try:
        action(); print("ESCAPED")
    except OSError as error:
        print(error)
