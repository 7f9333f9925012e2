# tries: to leave a named pipe in an environment, which blocks a reader
# escaped if: its status is not the one below
# dependencies: evil-fifo
# status: install_failed
import evil_fifo; print(evil_fifo.REPORT)
