# tries: to learn the host's name
# escaped if: ESCAPED is printed
# without isolation: run
import platform, socket
print("ESCAPED" if "@HOSTNAME@" in (platform.node(), socket.gethostname()) and "@HOSTNAME@" != "sandbox" else "hidden")
