# tries: to learn where in the host's control groups the sandbox is, and so its engine and container
# escaped if: ESCAPED is printed
paths = {line.rstrip().split(":", 2)[2] for line in open("/proc/self/cgroup")}
print("ESCAPED" if paths - {"/"} else "nothing", sorted(paths)[:3])
