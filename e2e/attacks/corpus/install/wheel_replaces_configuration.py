# tries: to replace pyvenv.cfg by a file of the wheel's data
# escaped if: its status is not the one below
# dependencies: evil-config
# status: install_failed
print("the script")
