# tries: to change uv and the interpreter while a package is built
# escaped if: it ends otherwise than below, or ESCAPED is printed
# dependencies: evil-tools
# status: ok install_failed
import evil_tools; print(evil_tools.REPORT)
