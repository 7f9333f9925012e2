# tries: to replace pyvenv.cfg by a file of the wheel's data
# escaped if: it ends otherwise than below
# dependencies: evil-config
# status: install_failed
print("the script")
