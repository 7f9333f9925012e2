# tries: to reach the host's loopback while a package is built
# escaped if: it ends otherwise than below, or ESCAPED is printed
# dependencies: evil-network
# status: ok install_failed
import evil_network; print(evil_network.REPORT)
