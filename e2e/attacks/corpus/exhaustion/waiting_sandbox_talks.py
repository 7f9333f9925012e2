# tries: to burn the server's CPU by frames of a sandbox that waits
# escaped if: the server computes
# dependencies: evil-talker
# host check: server_rests_while_sandboxes_wait
# status: ok script_error timed_out sandbox_unavailable
import numpy
