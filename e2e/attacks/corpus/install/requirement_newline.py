# tries: to hide a second requirement behind a newline
# escaped if: the host's listener is reached, or ESCAPED is printed
# dependencies: six\n--index-url=http://127.0.0.1:@PORT@/@TOKEN@
# status: invalid_script install_failed
print("ESCAPED")
