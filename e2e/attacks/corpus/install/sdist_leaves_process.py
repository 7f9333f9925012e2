# tries: to leave a process after the build
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil-process
# status: ok install_failed
import evil_process; print(evil_process.REPORT)
