# tries: to write 2.5 GiB while a package is built, where --max-cache-size is 256 MiB
# escaped if: the cache folder grows beyond 1.25 GiB, or its status is not the one below
# dependencies: evil-disk
# status: install_failed
# timeout: 60
# server: small-cache
# host check: disk_stays_bounded
import evil_disk; print(evil_disk.REPORT)
