"""A package index on this machine, over plain HTTP, or TLS with a private authority."""

import base64
import hashlib
import http.server
import ssl
import threading
from collections.abc import Callable
from json import dumps
from pathlib import Path
from urllib.parse import unquote

# Removes the variables by which the machine that runs the tests names its own index.
NO_INDEX = {"PIP_FIND_LINKS": None, "UV_FIND_LINKS": None, "UV_INDEX_URL": None, "PIP_INDEX_URL": None}


class PackageIndex:
    """Serves the wheels and source packages of a folder by PEP 503; records the requests."""

    def __init__(
        self,
        wheels: Path,
        certificate: tuple[Path, Path] | None = None,
        before_answer: Callable[[str], None] = lambda path: None,
        password: str | None = None,
        json: bool | dict = False,
    ):
        self.requests: list[str] = []
        self.unauthorized: list[str] = []
        members = {"wheels": wheels, "requests": self.requests, "before_answer": staticmethod(before_answer)}
        members |= {"unauthorized": self.unauthorized, "password": password, "json": json}
        handler = type("Handler", (_Handler,), members)
        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True, do_handshake_on_connect=False)
        scheme = self._http.scheme = "https" if certificate else "http"
        self.url = f"{scheme}://localhost:{self._http.server_address[1]}/simple/"
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self._thread.start()

    @property
    def environment(self) -> dict[str, str | None]:
        """The variables with which a server uses this index only."""
        return NO_INDEX | {"UV_DEFAULT_INDEX": self.url}

    def url_with(self, credentials: str) -> str:
        return self.url.replace("://", f"://{credentials}@")

    def __enter__(self) -> "PackageIndex":
        return self

    def __exit__(self, *_) -> None:
        self._http.shutdown()
        self._http.server_close()


class _Handler(http.server.BaseHTTPRequestHandler):
    wheels: Path
    requests: list[str]
    before_answer: Callable[[str], None]
    unauthorized: list[str]
    password: str | None
    json: bool | dict

    def do_GET(self) -> None:
        self.requests.append(self.path)
        expected = "Basic " + base64.b64encode(f"user:{self.password}".encode()).decode()
        if self.password and self.headers.get("Authorization") != expected:
            self.unauthorized.append(self.path)
            self.send_error(401)
            return
        self.before_answer(self.path)
        parts = [part for part in unquote(self.path).split("/") if part]
        if len(parts) == 2 and parts[0] == "simple":
            self._project(parts[1])
        elif len(parts) == 2 and parts[0] == "files" and (self.wheels / parts[1]).is_file():
            self._answer((self.wheels / parts[1]).read_bytes(), "application/octet-stream")
        else:
            self.send_error(404)

    def do_HEAD(self) -> None:
        self.do_GET()

    def _project(self, name: str) -> None:
        stem = name.replace("-", "_")
        wheels = sorted([*self.wheels.glob(f"{stem}-*.whl"), *self.wheels.glob(f"{stem}-*.tar.gz")])
        if not wheels:
            self.send_error(404)
            return
        if self.json:
            host = f"{self.server.scheme}://{self.headers['Host']}"
            files = [{"filename": w.name, "url": f"{host}/files/{w.name}", "hashes": {}} for w in wheels]
            page = {"meta": {"api-version": "1.0"}, "name": name, "files": files}
            page |= self.json if isinstance(self.json, dict) else {}
            self._answer(dumps(page).encode(), "application/vnd.pypi.simple.v1+json")
            return
        links = "".join(
            f'<a href="/files/{w.name}#sha256={hashlib.sha256(w.read_bytes()).hexdigest()}">{w.name}</a>\n' for w in wheels
        )
        self._answer(f"<!DOCTYPE html><html><body>{links}</body></html>".encode(), "text/html")

    def _answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_) -> None:
        pass
