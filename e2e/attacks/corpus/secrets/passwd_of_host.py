# tries: to learn the host's accounts
# escaped if: ESCAPED is printed
# without isolation: run
users = [line.split(":")[0] for line in open("/etc/passwd")]
print("ESCAPED" if "daemon" in users or "nobody" in users else users)
