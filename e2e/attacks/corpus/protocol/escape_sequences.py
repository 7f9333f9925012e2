# tries: to send control characters to the reader's terminal
# escaped if: ESCAPED is printed
print("\x1b]0;owned\x07\x1b[2J\x9b31m\x08\x00")
