# tries: to make a million empty files
# escaped if: its status is not the one below, or ESCAPED is printed
# timeout: 60
# status: script_error out_of_memory
import os
for i in range(1_000_000):
    os.close(os.open(f"/tmp/{i}", os.O_CREAT | os.O_WRONLY))
print("ESCAPED")
