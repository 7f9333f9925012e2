# tries: to change what later calls run, from inside
# escaped if: ESCAPED is printed
import builtins, sys, os
builtins.print = None; sys.path.clear(); os.environ.clear()
