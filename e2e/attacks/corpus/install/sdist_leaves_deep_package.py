# tries: to have an environment kept whose paths are too long for the host
# escaped if: it ends otherwise than below
# dependencies: evil-deep-package
# status: install_failed
# timeout: 60
import evil_deep_package; print(evil_deep_package.REPORT)
