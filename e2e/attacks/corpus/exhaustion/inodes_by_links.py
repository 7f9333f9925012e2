# tries: to make a million links
# escaped if: its status is not the one below, or ESCAPED is printed
# status: script_error out_of_memory
import os
for i in range(1_000_000):
    os.symlink("x", f"/home/user/{i}")
print("ESCAPED")
