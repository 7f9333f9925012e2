# tries: to change the interpreter that later scripts run
# escaped if: ESCAPED is printed
import os, sys
for path in (os.path.realpath(sys.executable), os.__file__, sys.prefix + "/pyvenv.cfg"):
    for action in (lambda: open(path, "ab"), lambda: os.chmod(path, 0o777), lambda: os.unlink(path), lambda: os.utime(path)):
        try:
            action(); print("ESCAPED", path)
        except OSError:
            pass
