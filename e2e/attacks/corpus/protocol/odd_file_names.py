# tries: to hand back files with odd names
# escaped if: ESCAPED is printed
import os
for name in ("new\nline", "--option", "a\x1b[31m", "..\\..\\up", "con", "x" * 255, "\udcff\udcfe", " ", "ü"):
    open(os.fsencode(name), "w").write("x")
