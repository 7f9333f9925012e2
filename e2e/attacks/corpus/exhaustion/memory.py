# tries: to take all memory
# escaped if: it ends otherwise than below, or ESCAPED is printed
# status: out_of_memory script_error
chunks = []
while True:
    chunks.append(bytearray(32 << 20))
