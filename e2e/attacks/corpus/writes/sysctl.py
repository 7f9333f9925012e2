# tries: to change the kernel's settings
# escaped if: ESCAPED is printed
import glob
for path in ("/proc/sys/kernel/hostname", "/proc/sys/vm/overcommit_memory", "/proc/sysrq-trigger", "/proc/sys/kernel/modprobe"):
    try:
        open(path, "w").write("1"); print("ESCAPED", path)
    except OSError as error:
        print(error)
