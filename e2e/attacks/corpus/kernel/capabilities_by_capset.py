# tries: to get capabilities by capset, for itself and for the program that it executes
# escaped if: ESCAPED is printed
import ctypes, re, subprocess, sys
libc = ctypes.CDLL(None, use_errno=True)
STATUS = r"Cap(Inh|Prm|Eff|Bnd|Amb):\s*0*[1-9a-f]"
all_bits = 0xffffffff
for version in (0x19980330, 0x20071026, 0x20080522):
    for effective, permitted, inheritable in ((all_bits,) * 3, (all_bits, 0, 0), (0, all_bits, 0), (0, 0, all_bits), (0, 0, 0)):
        header = (ctypes.c_uint32 * 2)(version, 0)
        data = (ctypes.c_uint32 * 6)(effective, permitted, inheritable, effective, permitted, inheritable)
        libc.capset(header, data)
        if re.search(STATUS, open("/proc/self/status").read()):
            print("ESCAPED", hex(version))
child = subprocess.run([sys.executable, "-c", "print(open('/proc/self/status').read())"], capture_output=True, text=True)
print("ESCAPED" if re.search(STATUS, child.stdout) or "CapEff" not in child.stdout else "none")
