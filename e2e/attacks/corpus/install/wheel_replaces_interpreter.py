# tries: to bring a script named python
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil-python
# status: ok install_failed script_error sandbox_unavailable
print("the script")
