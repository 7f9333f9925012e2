# tries: to run before the filter is in place
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil-pth
# status: ok script_error sandbox_unavailable
print("ESCAPED" if "Seccomp:\t2" not in open("/proc/self/status").read() else "filtered")
