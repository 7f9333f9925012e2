# tries: to change uv and the interpreter while a package is built
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil-tools
# status: ok install_failed
import evil_tools; print(evil_tools.REPORT)
