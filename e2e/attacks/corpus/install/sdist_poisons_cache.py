# tries: to write into uv's cache while a package is built
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil-cache
# status: ok install_failed
import evil_cache; print(evil_cache.REPORT)
