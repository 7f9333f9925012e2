# tries: to see the environments of other scripts
# escaped if: ESCAPED is printed
# without isolation: run
import os
found = []
for folder, below, _ in os.walk("/"):
    below[:] = [name for name in below if name not in ("proc", "usr", "dist-packages", "site-packages")]
    found += [folder] if os.path.basename(folder) == "environments" else []
print("ESCAPED" if found else "nothing", found)
