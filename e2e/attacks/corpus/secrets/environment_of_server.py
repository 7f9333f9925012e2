# tries: to find the server's environment variables
# escaped if: ESCAPED is printed
# without isolation: run
import glob, os
text = repr(dict(os.environ)).encode()
for path in glob.glob("/proc/*/environ") + glob.glob("/proc/*/task/*/environ"):
    try:
        text += open(path, "rb").read()
    except OSError:
        pass
print("ESCAPED" if b"@VARIABLE@" in text else "nothing")
