# Run with -I -S. Prints facts about the interpreter as fields that each end with a NUL.
import os
import sys
import sysconfig

stage = {"alpha": "a", "beta": "b", "candidate": "rc"}.get(sys.version_info[3])
unusual = bool(sysconfig.get_config_var("Py_GIL_DISABLED")) or hasattr(sys, "gettotalrefcount")
conda = os.path.isdir(os.path.join(sys.base_prefix, "conda-meta"))
# In a virtual environment made with --copies: the interpreter that was copied.
executable = getattr(sys, "_base_executable", None) or sys.executable
shared = os.name == "nt" or bool(sysconfig.get_config_var("Py_ENABLE_SHARED"))
facts = [
    sys.implementation.name,
    "%d.%d.%d" % sys.version_info[:3] + ("%s%d" % (stage, sys.version_info[4]) if stage else ""),
    "unusual" if unusual or conda else "",
    executable if os.path.exists(executable) else sys.executable,
    sys.base_prefix,
    "shared" if shared else "",
]
sys.stdout.buffer.write("".join(fact + "\0" for fact in facts).encode("utf-8", "surrogateescape"))
