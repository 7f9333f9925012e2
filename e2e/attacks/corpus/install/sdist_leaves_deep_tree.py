# tries: to leave folders nested deeper than any path is long
# escaped if: a file is left in the cache folder
# dependencies: evil-deep
# status: ok install_failed
# timeout: 60
import evil_deep; print(evil_deep.REPORT)
