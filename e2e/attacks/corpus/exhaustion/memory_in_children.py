# tries: to take all memory with many processes
# escaped if: its status is not the one below, or ESCAPED is printed
# status: out_of_memory script_error timed_out
import os, time
for _ in range(12):
    if os.fork() == 0:
        hold = [bytearray(b"x") * (30 << 20) for _ in range(8)]
        time.sleep(60)
time.sleep(5)
raise SystemExit(1)
