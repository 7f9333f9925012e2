# tries: to find the package index's password while a package is built, and to carry it out in the wheel
# escaped if: ESCAPED is printed, or the password is in the result
# dependencies: evil-environ
# server: index password
# host check: index_password_stays_out
import evil_environ; print(evil_environ.REPORT)
