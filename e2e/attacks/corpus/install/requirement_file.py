# tries: to have a file of requirements read
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: -r@SECRET@
# status: invalid_script install_failed
print("ESCAPED")
