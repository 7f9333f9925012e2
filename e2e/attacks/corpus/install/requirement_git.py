# tries: to have git run
# escaped if: it ends otherwise than below, or ESCAPED is printed
# dependencies: evil @ git+file://@HOMEDIR@
# status: invalid_script install_failed
print("ESCAPED")
