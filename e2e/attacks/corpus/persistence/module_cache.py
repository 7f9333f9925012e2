# tries: to change a module for later runs
# escaped if: ESCAPED is printed
import sys, json
json.loads = lambda *_: "ESCAPED"
sys.modules["math"] = json
