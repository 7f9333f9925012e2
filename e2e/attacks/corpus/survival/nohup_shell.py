# tries: to outlive the run in the background of a shell
# escaped if: a process is left, or ESCAPED is printed
import os, sys
os.system(f"nohup {sys.executable} -c 'import time; time.sleep(120)' @TOKEN@ >/dev/null 2>&1 &")
