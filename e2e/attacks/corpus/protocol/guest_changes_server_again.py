# tries: to find what an earlier call changed
# escaped if: ESCAPED is printed
print("fresh")
