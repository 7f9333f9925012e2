# tries: to block the server by a sandbox that says it is ready and never reads a long script
# escaped if: the answer comes late
# dependencies: evil-deaf
# host check: waiting_sandbox_takes_it
# padding: 200000
# timeout: 3
# status: ok script_error timed_out sandbox_unavailable
import numpy
