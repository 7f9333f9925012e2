# tries: to burn the processor past the time
# escaped if: its status is not the one below, or ESCAPED is printed
# status: timed_out
# timeout: 2
while True:
    pass
