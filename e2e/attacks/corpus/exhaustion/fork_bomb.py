# tries: to fork without end
# escaped if: its status is not the one below, or ESCAPED is printed
# status: timed_out script_error out_of_memory
# timeout: 3
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
