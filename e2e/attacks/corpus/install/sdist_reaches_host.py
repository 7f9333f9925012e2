# tries: to reach the host's loopback while a package is built
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil-network
# status: ok install_failed
import evil_network; print(evil_network.REPORT)
