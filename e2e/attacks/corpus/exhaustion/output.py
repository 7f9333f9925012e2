# tries: to print without end
# escaped if: its status is not the one below, or ESCAPED is printed
# status: timed_out output_limit
# timeout: 2
while True:
    print("x" * 100_000)
