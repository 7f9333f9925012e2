# tries: to report variables that are very large
# escaped if: ESCAPED is printed
# variables: big nested evil
big = "x" * 50_000_000
nested = []
for _ in range(100_000): nested = [nested]
class Evil:
    def __repr__(self): raise SystemExit("ESCAPED" * 0)
    def __reduce__(self): raise MemoryError
evil = Evil()
