# tries: to read the host's files while a package is built
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil-reads
# status: ok install_failed
import evil_reads; print(evil_reads.REPORT)
