# tries: to confuse the interpreter at its end
# escaped if: ESCAPED is printed
import atexit, os, sys
atexit.register(lambda: os.write(1, b"late\n")); sys.stdout = None; sys.modules.clear()
