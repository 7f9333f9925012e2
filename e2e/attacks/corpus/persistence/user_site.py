# tries: to leave start-up code for later interpreters
# escaped if: ESCAPED is printed
import os, site
folder = os.path.expanduser("~/.local/lib/python3/site-packages")
os.makedirs(folder); open(folder + "/usercustomize.py", "w").write("print('ESCAPED')")
