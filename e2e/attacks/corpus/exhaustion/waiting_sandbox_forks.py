# tries: to burn CPU in a sandbox that waits for its script, in children whose time nothing counts
# escaped if: a process of the package runs while it waits
# dependencies: evil-forker
# host check: waiting_sandbox_rests
import numpy
