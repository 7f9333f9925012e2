# tries: to read facts of the hardware
# escaped if: ESCAPED is printed
# without isolation: run
import os
print("ESCAPED" if os.path.exists("/sys/class/dmi") or os.path.exists("/sys/kernel/debug") else "nothing")
