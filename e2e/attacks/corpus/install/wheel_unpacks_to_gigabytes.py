# tries: to have 1.5 GiB unpacked from a wheel of 7 MiB, where --max-cache-size is 256 MiB
# escaped if: the cache folder grows beyond 1.25 GiB, or its status is not the one below
# dependencies: evil-bomb
# status: install_failed
# timeout: 60
# server: small-cache
# host check: disk_stays_bounded
print("the script")
