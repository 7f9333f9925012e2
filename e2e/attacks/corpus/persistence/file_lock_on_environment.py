# tries: to lock what other runs need
# escaped if: ESCAPED is printed
import fcntl, sys
try:
    fcntl.flock(open(sys.prefix + "/pyvenv.cfg"), fcntl.LOCK_EX)
except OSError as error:
    print(error)
