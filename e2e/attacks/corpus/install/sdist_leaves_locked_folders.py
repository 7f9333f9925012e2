# tries: to leave folders that their owner can't open
# escaped if: a file is left in the cache folder
# dependencies: evil-locked
# status: ok install_failed
import evil_locked; print(evil_locked.REPORT)
