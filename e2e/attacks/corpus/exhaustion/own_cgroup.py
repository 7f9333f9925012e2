# tries: to lift the control group's limits
# escaped if: ESCAPED is printed
import glob, os
for path in glob.glob("/sys/fs/cgroup/**", recursive=True)[:100]:
    if os.access(path, os.W_OK):
        print("ESCAPED", path)
