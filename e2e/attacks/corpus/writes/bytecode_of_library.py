# tries: to leave poisoned bytecode beside a library
# escaped if: ESCAPED is printed
import json, os
folder = os.path.dirname(json.__file__) + "/__pycache__"
try:
    os.makedirs(folder, exist_ok=True); open(folder + "/attack.pyc", "wb").write(b"x"); print("ESCAPED")
except OSError as error:
    print(error)
