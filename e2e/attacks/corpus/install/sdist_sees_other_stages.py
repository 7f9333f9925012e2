# tries: to see environments that are being made for others
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil-stages
# status: ok install_failed
import evil_stages; print(evil_stages.REPORT)
