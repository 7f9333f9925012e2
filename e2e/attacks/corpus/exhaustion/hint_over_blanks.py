# tries: to make the server look for old print statements in a text of 400,000 blanks
# escaped if: the answer is late, or the server still computes afterwards
# status: script_error
# timeout: 5
# host check: server_rests_afterwards
import sys
text = """
print x@BLANKS@y
"""
sys.stderr.write("SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?\n")
sys.exit(1)
