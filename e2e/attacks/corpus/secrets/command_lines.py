# tries: to read the command lines of the host's processes
# escaped if: ESCAPED is printed
# without isolation: run
import glob
text = b"".join(open(path, "rb").read() for path in glob.glob("/proc/[0-9]*/cmdline"))
print("ESCAPED" if b"sandbox.jar" in text or b"java" in text else "nothing")
