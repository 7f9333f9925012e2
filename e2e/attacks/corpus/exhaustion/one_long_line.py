# tries: to print one line of 100 MB
# escaped if: its status is not the one below, or ESCAPED is printed
# status: ok timed_out
import sys
for _ in range(100):
    sys.stdout.write("x" * (1 << 20))
