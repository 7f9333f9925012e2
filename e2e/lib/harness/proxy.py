"""A small HTTP proxy on this machine that records the targets of requests."""

import http.server
import socket
import threading
import urllib.request


class RecordingProxy:
    """Supports CONNECT and plain GET and HEAD; maps names of hosts that do not exist to ports of this machine."""

    def __init__(self, hosts: dict[str, int] | None = None):
        self.targets: list[str] = []
        handler = type("Handler", (_Handler,), {"targets": self.targets, "hosts": hosts or {}})
        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def __enter__(self) -> "RecordingProxy":
        return self

    def __exit__(self, *_) -> None:
        self._http.shutdown()
        self._http.server_close()


class _Handler(http.server.BaseHTTPRequestHandler):
    targets: list[str]
    hosts: dict[str, int]

    def do_CONNECT(self) -> None:
        self.targets.append(self.path)
        host, _, port = self.path.rpartition(":")
        try:
            place = ("127.0.0.1", self.hosts[host]) if host in self.hosts else (host.strip("[]"), int(port))
            upstream = socket.create_connection(place, 20)
        except OSError:
            self.send_error(502)
            return
        self.send_response(200, "Connection established")
        self.end_headers()
        back = threading.Thread(target=_pump, args=(upstream, self.connection), daemon=True)
        back.start()
        _pump(self.connection, upstream)
        back.join(20)
        upstream.close()
        self.close_connection = True

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        self.targets.append(self.path)
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(self.path, timeout=20) as answer:
                body, kind = answer.read(), answer.headers.get("Content-Type", "text/html")
        except OSError:
            self.send_error(502)
            return
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_) -> None:
        pass


def _pump(source: socket.socket, sink: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    try:
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass
