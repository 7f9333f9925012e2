# tries: to lift the limits
# escaped if: ESCAPED is printed
import resource
for name in ("RLIMIT_NPROC", "RLIMIT_NOFILE", "RLIMIT_AS", "RLIMIT_CORE"):
    try:
        hard = resource.getrlimit(getattr(resource, name))[1]
        if name == "RLIMIT_AS" and hard == resource.RLIM_INFINITY:
            continue  # the memory in use is limited
        resource.setrlimit(getattr(resource, name), (hard + 1, hard + 1)); print("ESCAPED", name)
    except (ValueError, OSError) as error:
        print(error)
