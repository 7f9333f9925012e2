# tries: to answer in the supervisor's place by exec
# escaped if: ESCAPED is printed
import os, sys
os.execv(sys.executable, [sys.executable, "-c", "import os; os.write(1, b'R\\0\\0\\0\\0X\\0\\0\\0\\x06code=0')"])
