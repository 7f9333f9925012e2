# tries: to take all memory
# escaped if: its status is not the one below, or ESCAPED is printed
# status: out_of_memory script_error
chunks = []
while True:
    chunks.append(bytearray(32 << 20))
