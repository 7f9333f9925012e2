# tries: to use or to change the groups of the user who started the server
# escaped if: ESCAPED is printed
# timeout: 60
import os, stat
UNMAPPED = 65534  # how a group of the host looks inside
for change in (lambda: os.setgroups([]), lambda: os.setgroups([0, 4]), lambda: os.setgid(0), lambda: os.initgroups("root", 0)):
    try:
        change(); print("ESCAPED", os.getgroups())
    except OSError as error:
        print(error)
if set(os.getgroups()) - {os.getgid(), UNMAPPED}:
    print("ESCAPED", os.getgroups())
seen = 0
for folder, folders, files in os.walk("/"):
    folders[:] = [name for name in folders if folder != "/" or name not in ("proc", "sys")]
    for name in folders + files:
        path = os.path.join(folder, name)
        try:
            facts = os.lstat(path)
        except OSError:
            continue
        seen += 1
        others = facts.st_mode & stat.S_IROTH or facts.st_uid == os.getuid() or stat.S_ISLNK(facts.st_mode)
        if not others and facts.st_gid == UNMAPPED and os.access(path, os.R_OK):
            print("ESCAPED", path)
    if seen > 60_000:
        break
print(seen, "seen")
