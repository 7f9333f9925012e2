# tries: to hold memory in the files of sandboxes that wait for their script, which no process's memory includes
# escaped if: the sandboxes that wait hold more than 768 MiB together; the pool's bound is 512 MiB
# dependencies: evil-hoarder
# server: large-folders
# host check: waiting_sandboxes_hold_few_files
import numpy
