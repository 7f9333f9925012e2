# tries: to find modules changed by an earlier run
# escaped if: ESCAPED is printed
import json
print(json.loads('"fresh"'))
