# tries: to bring a script named python
# escaped if: it ends otherwise than below, or ESCAPED is printed
# dependencies: evil-python
# status: ok install_failed script_error sandbox_unavailable
print("the script")
