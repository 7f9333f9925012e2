# tries: to take 2 GiB of memory in eight processes of a sandbox that waits for its script
# escaped if: a sandbox that waits holds more than 1.5 GiB at any moment
# dependencies: evil-brood
# server: waiting
# host check: waiting_sandboxes_stay_small
import numpy
