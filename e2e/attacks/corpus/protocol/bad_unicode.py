# tries: to send bytes that are no text
# escaped if: ESCAPED is printed
import os
os.write(1, bytes(range(256)) * 100 + b"\xed\xa0\x80\xf4\x90\x80\x80")
