# tries: to ask to be root
# escaped if: ESCAPED is printed
import os
for action in (lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgroups([0])):
    try:
        action(); print("ESCAPED")
    except OSError as error:
        print(error)
