# tries: to take 2 GiB of memory in a sandbox that waits for its script, where scripts may use 512 MiB
# escaped if: a sandbox that waits holds more than 1.5 GiB at any moment
# dependencies: evil-glutton
# server: waiting
# host check: waiting_sandboxes_stay_small
import numpy
