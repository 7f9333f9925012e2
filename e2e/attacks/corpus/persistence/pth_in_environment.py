# tries: to leave a .pth file in the environment
# escaped if: ESCAPED is printed
import sysconfig
try:
    open(sysconfig.get_path("purelib") + "/attack.pth", "w").write("import os\n"); print("ESCAPED")
except OSError as error:
    print(error)
