# tries: to have git run
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil @ git+file://@HOMEDIR@
# status: invalid_script install_failed
print("ESCAPED")
