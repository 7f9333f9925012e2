# tries: to make the server compare a missing file's long name with the names of many files
# escaped if: the answer is late, or the server still computes afterwards
# status: script_error
# timeout: 10
# host check: server_rests_afterwards
import os, sys
here = ""
for _ in range(14):
    here = os.path.join(here, "f" * 240)
    os.mkdir(here)
os.chdir(here)
for number in range(300):
    open("g" * 200 + str(number), "w").close()
sys.stderr.write("FileNotFoundError: [Errno 2] No such file or directory: '%s'\n" % ("g" * 5900))
sys.exit(1)
