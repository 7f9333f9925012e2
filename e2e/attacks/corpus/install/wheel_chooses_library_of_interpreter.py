# tries: to name the folder that the interpreter takes its library from, by a file beside it
# escaped if: its status is not the one below
# dependencies: evil-paths
# status: install_failed
print("the script")
