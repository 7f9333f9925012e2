# tries: to write into uv's cache while a package is built
# escaped if: it ends otherwise than below, or ESCAPED is printed
# dependencies: evil-cache
# status: ok install_failed
import evil_cache; print(evil_cache.REPORT)
