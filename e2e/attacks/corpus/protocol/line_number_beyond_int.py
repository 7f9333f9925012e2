# tries: to make the server fail by a line number that no integer holds
# escaped if: the server answers with an internal error
# status: script_error
import sys
sys.stderr.write('  File "/work/script.py", line %s\n    x\n    ^\nSyntaxError: invalid syntax\n' % ("9" * 40))
sys.exit(1)
