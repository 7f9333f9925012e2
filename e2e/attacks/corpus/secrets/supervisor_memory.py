# tries: to read the memory of the first process
# escaped if: ESCAPED is printed
# without isolation: run
data = open("/proc/1/mem", "rb"); data.seek(4096); print("ESCAPED", data.read(1))
