# tries: to leave a program that runs with its owner's rights in an environment
# escaped if: its status is not the one below
# dependencies: evil-setuid
# status: install_failed
import evil_setuid; print(evil_setuid.REPORT)
