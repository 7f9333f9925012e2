# tries: to send lines that are no requests
# escaped if: ESCAPED is printed
# client: malformed
print("the server still answers")
