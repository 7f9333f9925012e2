# tries: to change the supervisor that later scripts run under
# escaped if: ESCAPED is printed
import os
for name in ("supervisor.py", "variables.py", "new"):
    try:
        open("/run/supervisor/" + name, "a").write("x"); print("ESCAPED")
    except OSError as error:
        print(error)
