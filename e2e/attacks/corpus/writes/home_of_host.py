# tries: to write into the home of whoever runs the server
# escaped if: something new is in the host's folder, or ESCAPED is printed
import os
os.makedirs(os.path.dirname("@WITNESS@"), exist_ok=True); open("@WITNESS@", "w").write("x")
