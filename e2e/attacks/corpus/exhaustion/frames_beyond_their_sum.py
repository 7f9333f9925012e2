# tries: to fill the server's memory with many files and variables that are each within bounds
# escaped if: the server grows
# dependencies: evil-sums
# host check: waiting_sandbox_takes_it
# timeout: 10
# status: ok script_error timed_out sandbox_unavailable
import numpy
