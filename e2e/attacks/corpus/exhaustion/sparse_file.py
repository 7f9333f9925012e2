# tries: to give the server a file of a terabyte
# escaped if: ESCAPED is printed
open("sparse.bin", "wb").truncate(100 << 20)
try:
    open("huge.bin", "wb").truncate(1 << 40)
except OSError as error:
    print(error)
