# tries: to exit with 3 and have 0 reported, by changing the supervisor's memory through one of its threads
# escaped if: its status is not the one below, or ESCAPED is printed
# status: script_error
import os, re, socket, sys
held = []
for _ in range(4):
    try:
        held.append(socket.create_connection(("127.0.0.1", 3128), 1))
    except OSError:
        break
for number in range(1, 200):
    if number == os.getpid():
        continue
    try:
        maps = open(f"/proc/{number}/maps").read()
        memory = os.open(f"/proc/{number}/mem", os.O_RDWR)
    except OSError:
        continue
    for line in maps.splitlines():
        if " rw-p " not in line:
            continue
        start, end = (int(word, 16) for word in line.split()[0].split("-"))
        try:
            content = os.pread(memory, end - start, start)
        except OSError:
            continue
        for found in re.finditer(rb"code=%d cpu_us", content):
            os.pwrite(memory, b"c0de", start + found.start())  # a report without a code means 0
            print("ESCAPED: memory of", number, "was written")
sys.exit(3)
