# tries: to read the address space of the first process
# escaped if: ESCAPED is printed
# without isolation: run
print("ESCAPED", open("/proc/1/maps").read(20) or 1 / 0)
