# tries: to write 2.5 GiB to files that are deleted already, where --max-cache-size is 256 MiB
# escaped if: its status is not the one below, or the cache folder grows beyond 1.25 GiB
# dependencies: evil-deleted-disk
# status: install_failed
# timeout: 60
# server: small-cache
# host check: disk_stays_bounded
import evil_deleted_disk; print(evil_deleted_disk.REPORT)
