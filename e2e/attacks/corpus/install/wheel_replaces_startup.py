# tries: to replace the supervisor's start-up line
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil-startup
# status: ok install_failed script_error sandbox_unavailable
print("the script")
