# tries: to have an environment kept whose paths are too long for the host
# escaped if: its status is not the one below
# dependencies: evil-deep-package
# status: install_failed
# timeout: 60
import evil_deep_package; print(evil_deep_package.REPORT)
