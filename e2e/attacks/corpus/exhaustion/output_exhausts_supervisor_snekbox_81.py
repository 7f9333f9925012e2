# tries: to fill the supervisor's memory with output
# escaped if: its status is not the one below, or ESCAPED is printed
# status: timed_out output_limit
# timeout: 2
import os
while True:
    os.write(1, b"x" * (1 << 20)); os.write(2, b"y" * (1 << 20))
