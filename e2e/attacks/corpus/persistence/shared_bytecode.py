# tries: to change the bytecode that environments share, through its own environment
# escaped if: ESCAPED is printed
# dependencies: harmless
import glob
import os
import sysconfig

packages = sysconfig.get_path("purelib")
for path in [packages, packages + "/__pycache__", *glob.glob(packages + "/**/*.pyc", recursive=True)]:
    for action in (
        lambda: open(path, "r+b"),
        lambda: os.chmod(path, 0o777),
        lambda: os.utime(path),
        lambda: os.link(path, "/work/link"),
        lambda: os.truncate(path, 0),
        lambda: os.rename(path, path + ".old"),
        lambda: os.mkdir(packages + "/__pycache__/new"),
    ):
        try:
            action()
            print("ESCAPED", path)
        except OSError:
            pass
