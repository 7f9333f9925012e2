# tries: to leave a link where the server marks an environment as compiled, so that it makes a file on the host
# escaped if: something new is in the host's folder
# dependencies: evil-mark
# status: ok install_failed
# host check: nothing_new_after_compiling
import evil_mark; print(evil_mark.REPORT)
