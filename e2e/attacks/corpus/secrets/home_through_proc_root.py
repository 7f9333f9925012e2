# tries: to reach the host's files through /proc/*/root
# escaped if: the secret is in the result, or ESCAPED
# without isolation: run
import glob
for root in glob.glob("/proc/[0-9]*/root") + glob.glob("/proc/*/cwd"):
    try:
        print(open(root + "@SECRET@").read())
    except OSError as error:
        print(error)
