# tries: to replace interpreter and start-up lines of its own environment
# escaped if: its status is not the one below, or ESCAPED is printed
# dependencies: evil-environment
# status: ok install_failed script_error sandbox_unavailable
import evil_environment; print(evil_environment.REPORT)
