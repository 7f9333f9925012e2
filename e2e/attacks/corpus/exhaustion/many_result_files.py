# tries: to give the server thousands of files to collect
# escaped if: ESCAPED is printed
for i in range(5000):
    open(f"{i}.txt", "w").write("x")
