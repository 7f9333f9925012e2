# tries: to remove the script's limits from the memory of the process in which its packages are imported
# escaped if: a limit of the script is missing
# dependencies: evil-unlimited
# host check: waiting_sandbox_takes_it
import numpy
import os
import resource

in_container = os.path.exists("/.dockerenv") or os.path.exists("/run/.containerenv")  # where the engine limits processes
for name in ("CORE",) if in_container else ("CORE", "NPROC"):
    if resource.getrlimit(getattr(resource, "RLIMIT_" + name))[1] == resource.RLIM_INFINITY:
        print("ESCAPED: no limit", name)
