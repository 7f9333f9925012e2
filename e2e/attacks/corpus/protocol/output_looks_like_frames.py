# tries: to print what looks like the supervisor's frames
# escaped if: ESCAPED is printed
import os
os.write(1, b"X" + (20).to_bytes(4, "big") + b"code=0 cpu_us=1 oom=0" + b"\xff" * 50)
