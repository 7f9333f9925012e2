# tries: to read what lies beside the public files of the host, and to change those
# escaped if: ESCAPED is printed
import os
ALLOWED = {
    "/usr": {"bin", "include", "lib", "lib32", "lib64", "libexec", "local", "share", "sbin", "games", "src", "libx32"},
    "/usr/share": {"zoneinfo", "ca-certificates", "fonts", "glvnd", "misc"},
    "/usr/share/misc": {"magic", "magic.mgc"},
}
in_image = not os.path.exists("/python") and os.path.exists("/usr/sbin/useradd")  # all files of a container's are public
for folder, names in {} if in_image else ALLOWED.items():
    found = set(os.listdir(folder)) if os.path.isdir(folder) else set()
    if found - names:
        print("ESCAPED", folder, found - names)
SHOWN = [f"/etc/{name}" for name in os.listdir("/etc") if name.startswith("java-")]
SHOWN += ["/usr/share/fonts", "/usr/share/glvnd", "/usr/share/misc", "/usr/include"]
SHOWN += ["/etc/mime.types", "/etc/services", "/etc/protocols"]
for root in SHOWN:
    for path in [root, *(os.path.join(folder, name) for folder, below, files in os.walk(root) for name in below + files)]:
        try:
            if os.path.exists(path) and os.access(path, os.W_OK):
                print("ESCAPED", path)
            found = os.stat(path)
            if os.path.isfile(path) and os.access(path, os.R_OK) and not found.st_mode & 0o004:
                print("ESCAPED", path, "is not public")
        except OSError:
            pass
for path in ("/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/machine-id", "/etc/ssh", "/etc/fstab", "/etc/hostname"):
    if not in_image and os.path.exists(path):
        print("ESCAPED", path)
