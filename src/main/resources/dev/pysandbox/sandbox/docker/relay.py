"""Connects other containers to proxies on the host. Used if sockets of the host can't be mounted in containers.

usage: relay.py HOST FOLDER, where FOLDER is a volume that is also mounted, read-only, in the other containers.
Each line of input opens a tunnel, "+ NAME PORT SECRET", or closes it, "- NAME". A tunnel is a socket NAME in FOLDER.
For each connection to it the relay connects to HOST:PORT, sends the secret and forwards the data. The response to
each line is "ok". The program ends when its input ends.
"""

import os
import socket
import sys
import threading

HOST, FOLDER = sys.argv[1:]
listeners = {}


def pump(source, target):
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
    except OSError:
        pass
    for end, how in ((target, socket.SHUT_WR), (source, socket.SHUT_RD)):
        try:
            end.shutdown(how)
        except OSError:
            pass


def forward(client, port, secret):
    with client:
        try:
            with socket.create_connection((HOST, port), 10) as proxy:
                proxy.settimeout(None)
                proxy.sendall(secret.encode() + b"\r\n")
                back = threading.Thread(target=pump, args=(proxy, client), daemon=True)
                back.start()
                pump(client, proxy)
                back.join()
        except OSError:
            pass  # the client sees its connection end


def serve(listener, port, secret):
    while True:
        try:
            client = listener.accept()[0]
        except OSError:
            return  # closed
        try:
            threading.Thread(target=forward, args=(client, port, secret), daemon=True).start()
        except RuntimeError:  # no thread could be started
            client.close()


def main():
    os.chmod(FOLDER, 0o711)  # other users can open a socket only by its name
    for line in sys.stdin:
        sign, name, *rest = line.split()
        path = os.path.join(FOLDER, name)
        if sign == "+":
            listener = listeners[name] = socket.socket(socket.AF_UNIX)
            listener.bind(path)
            os.chmod(path, 0o666)
            listener.listen(128)
            threading.Thread(target=serve, args=(listener, int(rest[0]), rest[1]), daemon=True).start()
        elif name in listeners:
            listeners[name].shutdown(socket.SHUT_RDWR)
            listeners.pop(name).close()
            os.unlink(path)
        print("ok", flush=True)


main()
