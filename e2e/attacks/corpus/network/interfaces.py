# tries: to see the host's interfaces
# escaped if: ESCAPED is printed
# without isolation: run
names = [line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]]
print("ESCAPED" if [n for n in names if n != "lo"] else names)
