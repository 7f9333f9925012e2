# tries: to make files without end where the supervisor's entry of /proc is covered
# escaped if: ESCAPED is printed
import os
made = 0
try:
    os.chmod("/proc/1", 0o777)
    for number in range(150_000):
        os.close(os.open(f"/proc/1/{number}", os.O_CREAT | os.O_WRONLY))
        made += 1
except OSError as error:
    print(error)
print("ESCAPED" if made else "made", made)
