# tries: to become root by a setuid program
# escaped if: ESCAPED is printed
import subprocess
for command in (["su", "-c", "id"], ["sudo", "-n", "id"], ["mount"], ["newgrp"]):
    try:
        if b"uid=0" in subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=5).stdout: print("ESCAPED", command)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(error)
