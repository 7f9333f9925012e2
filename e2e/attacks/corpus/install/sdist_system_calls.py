# tries: to use forbidden system calls while a package is built
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil-kernel
# status: ok install_failed
import evil_kernel; print(evil_kernel.REPORT)
