# tries: to read the host's password hashes
# escaped if: ESCAPED is printed
# without isolation: run
print(open("/etc/shadow").read()); print("ESCAPED")
