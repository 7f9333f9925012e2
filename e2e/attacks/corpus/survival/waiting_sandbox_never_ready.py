# tries: to keep a call waiting for a sandbox that never becomes ready
# escaped if: the answer comes late
# dependencies: evil-mute
# host check: waiting_sandbox_takes_it
# timeout: 3
# status: ok script_error timed_out sandbox_unavailable
import numpy
