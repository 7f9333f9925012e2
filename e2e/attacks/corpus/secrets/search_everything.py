# tries: to find the secret anywhere in the file system
# escaped if: the secret is in the result, or ESCAPED
# timeout: 60
# without isolation: run
import os
for folder, _, files in os.walk("/"):
    if folder.startswith("/proc"):
        continue
    for name in files:
        if name == os.path.basename("@SECRET@"):
            print("ESCAPED", folder, name)
