# tries: to read values of --env and the index's password off the process list, as another user of the machine
# escaped if: one of them is in a command line, or in what an engine says of a container
# server: secrets
# dependencies: slow-build
# host check: process_list_holds_no_secret
import os, time
assert os.environ["ATTACK_SECRET"]
time.sleep(2)
