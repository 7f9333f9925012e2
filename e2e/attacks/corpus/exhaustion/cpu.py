# tries: to burn the processor past the time
# escaped if: it ends otherwise than below, or ESCAPED is printed
# status: timed_out
# timeout: 2
while True:
    pass
