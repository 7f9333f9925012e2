# tries: to reach the supervisor through the entries of its threads in /proc, which are not listed but can be opened
# escaped if: ESCAPED is printed
import os, socket
held = []
for _ in range(8):  # each connection once had threads to serve it
    try:
        held.append(socket.create_connection(("127.0.0.1", 3128), 1))
    except OSError:
        break
own = {os.getpid(), *map(int, os.listdir("/proc/self/task"))}
names = ["mem", "maps", "smaps", "environ", "auxv", "io", "syscall", "cwd/.", "root/.", "exe", "fd/0", "fd/1", "fd/2", "fd/90"]
names += ["fdinfo/0", "map_files/.", "ns/mnt", "oom_score_adj", "clear_refs"]
for number in range(1, 5000):
    if number in own or not os.path.exists(f"/proc/{number}"):
        continue
    for base in (f"/proc/{number}", f"/proc/{number}/task/{number}", f"/proc/self/task/../../{number}"):
        for name in names:
            for flags in (os.O_RDWR, os.O_WRONLY, os.O_RDONLY):
                if flags == os.O_RDONLY and name == "oom_score_adj":
                    continue  # anyone may read it
                try:
                    fd = os.open(f"{base}/{name}", flags | os.O_NONBLOCK)
                except OSError:
                    continue
                try:
                    if flags == os.O_RDONLY and name in ("maps", "smaps", "auxv", "syscall", "environ", "io"):
                        os.read(fd, 1)
                    print("ESCAPED", base, name, flags, flush=True)
                except OSError:
                    pass
                os.close(fd)
