# tries: to take descriptors, time and processors from the supervisor, so that it can't watch the script any more
# escaped if: one of the calls succeeds
import os
import resource

ATTEMPTS = {
    "prlimit": lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0)),
    "setpriority": lambda: os.setpriority(os.PRIO_PROCESS, 1, 19),
    "sched_setaffinity": lambda: os.sched_setaffinity(1, {min(os.sched_getaffinity(0))}),
    "sched_setscheduler": lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)),
    "sched_setparam": lambda: os.sched_setparam(1, os.sched_param(0)),
}
for name, attempt in ATTEMPTS.items():
    try:
        attempt()
        print("ESCAPED: " + name + " of process 1 succeeded")
    except OSError:
        pass
# A script may change its own limits.
resource.prlimit(os.getpid(), resource.RLIMIT_NOFILE, (200, 200))
os.setpriority(os.PRIO_PROCESS, 0, 1)
os.sched_setaffinity(0, os.sched_getaffinity(0))
