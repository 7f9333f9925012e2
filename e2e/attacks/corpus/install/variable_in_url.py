# tries: to have a variable put into a URL
# escaped if: the host's listener is reached, or ESCAPED is printed
# dependencies: evil @ http://${HOME}.127.0.0.1:@PORT@/@TOKEN@
# status: invalid_script install_failed
print("ESCAPED")
