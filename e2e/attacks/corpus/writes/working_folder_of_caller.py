# tries: to write where the server was started (CVE-2025-59532)
# escaped if: something new is in the host's folder, or ESCAPED is printed
for folder in ("@HOMEDIR@", "@WORKDIR@"):
    try:
        open(folder + "/attack", "w").write("x"); print("ESCAPED", folder)
    except OSError as error:
        print(error)
