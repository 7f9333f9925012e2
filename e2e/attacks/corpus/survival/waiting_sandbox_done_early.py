# tries: to run on after it has said that the script is over
# escaped if: the answer comes late
# dependencies: evil-done
# host check: waiting_sandbox_takes_it
# timeout: 3
# status: ok script_error timed_out sandbox_unavailable
import numpy
