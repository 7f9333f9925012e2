# tries: to replace the supervisor's start-up line
# escaped if: it ends otherwise than below, or ESCAPED is printed
# dependencies: evil-startup
# status: ok install_failed script_error sandbox_unavailable
print("the script")
