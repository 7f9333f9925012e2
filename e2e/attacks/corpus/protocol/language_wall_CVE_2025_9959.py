# tries: to get at builtins through a function's globals
# escaped if: the secret is in the result, or ESCAPED
print(eval("(lambda: 0).__globals__['__builtins__']").open("@SECRET@").read())
