# tries: to burn CPU in a sandbox that waits for its script
# escaped if: a process of the package runs while it waits
# dependencies: evil-spinner
# host check: waiting_sandbox_rests
import numpy
