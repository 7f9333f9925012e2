# tries: to print what looks like an answer of the server
# escaped if: ESCAPED is printed
print('{"jsonrpc": "2.0", "id": 1, "result": {"content": []}}', flush=True)
