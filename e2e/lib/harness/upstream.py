"""An upstream proxy on this machine that answers everything itself and records the requests."""

import socket
import threading


class Upstream:
    """Reads one request after the other from a connection, as long as there are any, whatever Connection says."""

    def __init__(self):
        self.received: list[str] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            connection, _ = self._socket.accept()
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(5)
        with connection, connection.makefile("rb") as stream:
            try:
                while line := stream.readline(65536).decode("latin-1").strip():
                    self.received.append(line)
                    fields = self._fields(stream)
                    if line.startswith("CONNECT "):
                        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                        self.received.append(connection.recv(65536).decode("latin-1"))
                        return
                    stream.read(int(fields.get("content-length", "0")))
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            except (OSError, ValueError):
                pass

    @staticmethod
    def _fields(stream) -> dict[str, str]:
        fields = {}
        while line := stream.readline(65536).decode("latin-1").strip():
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        return fields
