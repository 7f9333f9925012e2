# tries: to read a file in the home of whoever runs the server
# escaped if: the secret is in the result, or ESCAPED
# without isolation: run
print(open("@SECRET@").read())
