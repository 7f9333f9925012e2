# tries: to write into the system's folders
# escaped if: ESCAPED is printed
for folder in ("/usr/bin", "/usr/lib", "/etc", "/bin", "/", "/dev", "/proc/sys/kernel", "/run", "/data", "/usr/local"):
    try:
        open(folder + "/attack", "w").write("x"); print("ESCAPED", folder)
    except OSError:
        pass
