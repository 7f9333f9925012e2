# tries: to run before the supervisor by a .pth file whose name sorts before its own
# escaped if: its status is not the one below
# dependencies: evil-first-pth
# status: install_failed
print("the script")
