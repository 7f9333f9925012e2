# tries: to have Python 3.15 ignore the supervisor's .pth file, by a .start file of its name
# escaped if: its status is not the one below
# dependencies: evil-start
# status: install_failed
print("the script")
