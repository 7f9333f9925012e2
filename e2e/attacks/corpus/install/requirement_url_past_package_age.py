# tries: to get around --package-age by a URL of the index's host
# escaped if: it is not refused before anything runs
# dependencies: harmless @ https://127.0.0.1:@PORT@/@TOKEN@/harmless-1.0-py3-none-any.whl
# status: invalid_script
# server: package-age
print("ESCAPED")
