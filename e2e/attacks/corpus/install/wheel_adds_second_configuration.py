# tries: to put a pyvenv.cfg beside the interpreter, which Python reads in place of the real one
# escaped if: it ends otherwise than below
# dependencies: evil-second-config
# status: install_failed
print("the script")
