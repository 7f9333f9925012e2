# tries: to put a link in the environment's place in the moment between uv's end and the sandbox's
# escaped if: an environment of the server is a link
# dependencies: evil-swap
# status: install_failed
# host check: environments_are_folders
import evil_swap; print(evil_swap.REPORT)
