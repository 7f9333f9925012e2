# tries: to link a file of the environment into the results
# escaped if: ESCAPED is printed
# without isolation: run
import os, sys
try:
    os.link(os.path.realpath(sys.executable), "python-copy"); print("ESCAPED")
except OSError as error:
    print(error)
