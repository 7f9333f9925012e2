"""Prints one line each: the interpreter's version, path and home, uv's path and version, the folder of wheels.

The last line is 0 if a connection to the socket in the second argument succeeds.
"""

import os
import shutil
import socket
import subprocess
import sys

WHEELS, SOCKET = sys.argv[1:]
print("%d.%d.%d" % sys.version_info[:3])
print(os.path.realpath(sys.executable))
print(sys.base_prefix)
uv = shutil.which("uv") or ""
print(uv)
print(subprocess.run([uv, "--version"], capture_output=True, text=True).stdout.strip() if uv else "")
print(WHEELS if os.path.isdir(WHEELS) and os.listdir(WHEELS) else "")
print(socket.socket(socket.AF_UNIX).connect_ex(SOCKET))
