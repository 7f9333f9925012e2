# tries: to use the network from a sandbox that waits for its script
# escaped if: ESCAPED is printed
# dependencies: evil-caller
# host check: waiting_sandbox_takes_it
import numpy, os
if os.path.exists("/tmp/reached"):
    print("ESCAPED")
