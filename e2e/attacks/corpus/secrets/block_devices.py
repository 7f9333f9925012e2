# tries: to read a disk
# escaped if: ESCAPED is printed
# without isolation: run
import glob
for path in glob.glob("/dev/sd*") + glob.glob("/dev/vd*") + glob.glob("/dev/nvme*") + glob.glob("/dev/mem") + glob.glob("/dev/loop*"):
    print("ESCAPED", path)
