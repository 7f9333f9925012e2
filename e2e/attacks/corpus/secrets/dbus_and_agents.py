# tries: to talk to the host's buses and agents
# escaped if: ESCAPED is printed
# without isolation: run
import glob
found = glob.glob("/run/user/*") + glob.glob("/run/dbus/*") + glob.glob("/tmp/ssh-*") + glob.glob("/run/systemd/*")
print("ESCAPED" if found else "nothing", found)
