# tries: to find credentials of the package index during the run
# escaped if: ESCAPED is printed
# without isolation: run
import os
print("ESCAPED" if any(name.startswith(("UV_", "PIP_", "NETRC")) for name in os.environ) else "nothing")
