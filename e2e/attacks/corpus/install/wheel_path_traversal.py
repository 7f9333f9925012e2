# tries: to unpack a file outside the environment
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil-traversal
# status: ok install_failed
print("the script")
