# tries: to write 2.5 GiB to a folder that the server can't read, where --max-cache-size is 256 MiB
# escaped if: its status is not the one below, or the cache folder grows beyond 1.25 GiB
# dependencies: evil-locked-disk
# status: install_failed
# timeout: 60
# server: small-cache
# host check: disk_stays_bounded
import evil_locked_disk; print(evil_locked_disk.REPORT)
