# tries: to give the server large files to collect
# escaped if: ESCAPED is printed
for i in range(20):
    open(f"{i}.bin", "wb").write(b"x" * (20 << 20))
