# tries: to find the host's abstract sockets
# escaped if: ESCAPED is printed
# without isolation: run
print("ESCAPED" if "@" in open("/proc/net/unix").read().replace("Num", "") else "nothing")
