"""Python libraries that use TLS through the proxy, which checks the first bytes of a connection."""

import base64
import hashlib
import http.server
import ssl
import threading

import pytest

from harness.certificates import issue_for_localhost
from harness.proxy import RecordingProxy

pytestmark = pytest.mark.any_backend

HOST = "tls.example.invalid"
URL = f"https://{HOST}/"
CONTEXT = "import ssl; c = ssl._create_unverified_context()\n"
SCRIPTS = {
    "urllib": ([], CONTEXT + f"import urllib.request; print(urllib.request.urlopen('{URL}', context=c).read())"),
    "tls12": (
        [],
        CONTEXT + "c.maximum_version = ssl.TLSVersion.TLSv1_2\n"
        f"import urllib.request; print(urllib.request.urlopen('{URL}', context=c).read())",
    ),
    "tls13": (
        [],
        CONTEXT + "c.minimum_version = ssl.TLSVersion.TLSv1_3\n"
        f"import urllib.request; print(urllib.request.urlopen('{URL}', context=c).read())",
    ),
    "pip": (["pip==25.3"], f"from pip._vendor import requests; print(requests.get('{URL}', verify=False).content)"),
    "requests": (["requests==2.32.5"], f"import requests; print(requests.get('{URL}', verify=False).content)"),
    "httpx": (["httpx==0.28.1"], f"import httpx; print(httpx.get('{URL}', verify=False).content)"),
    "aiohttp": (
        ["aiohttp==3.13.2"],
        f"""
import aiohttp, asyncio
async def main():
    async with aiohttp.ClientSession(trust_env=True) as session, session.get('{URL}', ssl=False) as answer:
        print(await answer.read())
asyncio.run(main())
""",
    ),
    "websockets": (
        ["websockets==15.0.1"],
        CONTEXT
        + f"""
from websockets.sync.client import connect
with connect('wss://{HOST}/', ssl=c) as socket:
    print(socket.recv())
""",
    ),
    "curl": (
        [],
        f"""
import shutil, subprocess
print(subprocess.check_output(["curl", "-sk", "{URL}"]) if shutil.which("curl") else b"hello")
""",
    ),
}


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if key := self.headers.get("Sec-WebSocket-Key"):
            accept = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
            self.send_response(101)
            self.send_header("Upgrade", "websocket")
            self.send_header("Connection", "Upgrade")
            self.send_header("Sec-WebSocket-Accept", base64.b64encode(accept).decode())
            self.end_headers()
            self.wfile.write(b"\x82\x05hello\x88\x02\x03\xe8")
            self.close_connection = True  # else the client waits ten seconds for it
        else:
            self.send_response(200)
            self.send_header("Content-Length", "5")
            self.end_headers()
            self.wfile.write(b"hello")

    def log_message(self, *_) -> None:
        pass


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    """A proxy that connects to a host with TLS."""
    _, certificate, key = issue_for_localhost(tmp_path_factory.mktemp("tls"))
    web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"protocol_version": "HTTP/1.1"}))
    web.daemon_threads = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    web.socket = context.wrap_socket(web.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    with RecordingProxy({HOST: web.server_address[1]}) as proxy:
        yield proxy
    web.shutdown()
    web.server_close()


@pytest.fixture
def server(module_server, proxy):
    variables = {"HTTPS_PROXY": proxy.url, "HTTP_PROXY": proxy.url, "NO_PROXY": ""}
    return module_server(f"--allow-host={HOST}", env=variables)


@pytest.mark.parametrize("client", SCRIPTS)
def test_client(server, client):
    dependencies, script = SCRIPTS[client]
    result = server.run(script, dependencies=dependencies, timeout_seconds=60).expect("ok")
    assert result.stdout == "b'hello'\n", result.text


def test_plain_websocket_is_refused_with_its_reason(server):
    script = f"from websockets.sync.client import connect; connect('ws://{HOST}/')"
    result = server.run(script, dependencies=["websockets==15.0.1"], timeout_seconds=60).expect("script_error")
    assert "403" in result.stderr
    assert f"{HOST}:80 (not TLS)" in result.text


def test_server_name_of_another_host_is_refused_with_its_reason(server):
    script = CONTEXT + f"""
import socket
s = socket.create_connection(("127.0.0.1", 3128))
s.send(b"CONNECT {HOST}:443 HTTP/1.1\\r\\n\\r\\n"); s.recv(100)
c.wrap_socket(s, server_hostname="other.example.invalid")
"""
    result = server.run(script).expect("script_error")
    assert "UNRECOGNIZED_NAME" in result.stderr
    assert f"{HOST}:443 (TLS for another host)" in result.text
