# tries: to unpack a file outside the environment
# escaped if: it ends otherwise than below, or ESCAPED is printed
# dependencies: evil-traversal
# status: ok install_failed
print("the script")
