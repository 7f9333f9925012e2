# tries: to speak in the supervisor's place
# escaped if: it ends otherwise than below, or ESCAPED is printed
# dependencies: evil-frames
# status: ok script_error sandbox_unavailable
print("the script")
