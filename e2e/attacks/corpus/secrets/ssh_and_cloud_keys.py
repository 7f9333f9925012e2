# tries: to look where keys and tokens lie
# escaped if: ESCAPED is printed
# without isolation: run
import os
for home in ("/root", "@HOME@"):
    for name in (".ssh", ".aws", ".config", ".netrc", ".docker", ".kube", ".gnupg", ".bash_history", ".cache"):
        if os.path.exists(os.path.join(home, name)):
            print("ESCAPED", home, name)
