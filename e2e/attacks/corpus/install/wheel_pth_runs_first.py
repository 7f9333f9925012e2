# tries: to run before the supervisor by a .pth file
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil-pth
# status: ok script_error sandbox_unavailable
print("the script")
