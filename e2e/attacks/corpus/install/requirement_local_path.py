# tries: to install from a path of the host
# escaped if: it ends otherwise than below, or ESCAPED is printed
# dependencies: evil @ file://@HOMEDIR@
# status: invalid_script install_failed
print("ESCAPED")
