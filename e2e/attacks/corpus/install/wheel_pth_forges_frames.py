# tries: to speak in the supervisor's place
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil-frames
# status: ok script_error sandbox_unavailable
print("the script")
