# tries: to remove the script's limits from the memory of the process in which its packages are imported
# escaped if: a limit of the script is missing
# dependencies: evil-unlimited
# host check: waiting_sandbox_takes_it
import numpy
import resource

for name in ("AS", "CORE"):
    if resource.getrlimit(getattr(resource, "RLIMIT_" + name))[1] == resource.RLIM_INFINITY:
        print("ESCAPED: no limit", name)
