# tries: to put a pyvenv.cfg beside the interpreter, which Python reads in place of the real one
# escaped if: its status is not the one below
# dependencies: evil-second-config
# status: install_failed
print("the script")
