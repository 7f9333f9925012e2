# tries: to leave a named pipe in an environment, which blocks a reader
# escaped if: it ends otherwise than below
# dependencies: evil-fifo
# status: install_failed
import evil_fifo; print(evil_fifo.REPORT)
