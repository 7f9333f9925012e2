# tries: to talk to a container engine's socket
# escaped if: ESCAPED is printed
# without isolation: run
import socket
for path in ("/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock"):
    try:
        socket.socket(socket.AF_UNIX).connect(path); print("ESCAPED", path)
    except OSError as error:
        print(error)
