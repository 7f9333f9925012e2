# tries: to have or gain capabilities
# escaped if: ESCAPED is printed
import re
status = open("/proc/self/status").read()
print("ESCAPED" if re.search(r"Cap(Inh|Prm|Eff|Bnd|Amb):\s*0*[1-9a-f]", status) or "NoNewPrivs:\t1" not in status else "none")
