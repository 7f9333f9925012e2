# tries: to run before the supervisor by a .pth file
# escaped if: it ends otherwise than below, or ESCAPED is printed
# dependencies: evil-pth
# status: ok script_error sandbox_unavailable
print("the script")
