# tries: to open the supervisor's descriptors through /proc
# escaped if: ESCAPED is printed
import glob, os
for path in glob.glob("/proc/1/fd/*") + glob.glob(f"/proc/{os.getppid()}/fd/*") + glob.glob("/proc/1/task/*/fd/*"):
    try:
        os.open(path, os.O_WRONLY); print("ESCAPED", path)
    except OSError as error:
        print(error)
