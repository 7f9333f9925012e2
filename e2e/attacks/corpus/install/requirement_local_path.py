# tries: to install from a path of the host
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil @ file://@HOMEDIR@
# status: invalid_script install_failed
print("ESCAPED")
