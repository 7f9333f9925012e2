# tries: to leave a program that runs with its owner's rights in an environment
# escaped if: it ends otherwise than below
# dependencies: evil-setuid
# status: install_failed
import evil_setuid; print(evil_setuid.REPORT)
