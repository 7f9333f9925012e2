# tries: to make the host change a file behind a link
# escaped if: something new is in the host's folder, or ESCAPED is printed
import os
os.symlink("@HOMEDIR@/by-link", "out.txt"); os.makedirs("d"); os.symlink("@HOMEDIR@", "d/up")
try:
    open("out.txt", "w").write("x"); open("d/up/by-link", "w").write("x")
except OSError as error:
    print(error)
