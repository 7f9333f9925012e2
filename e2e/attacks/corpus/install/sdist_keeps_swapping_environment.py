# tries: to swap the environment for a link and back as fast as it can until the sandbox ends, and beyond
# escaped if: an environment of the server is a link, or a process of it still runs
# dependencies: evil-flicker
# status: ok install_failed
# host check: environments_are_folders
import evil_flicker; print(evil_flicker.REPORT)
