"""A session with a cookie, a form and a redirect, against a server on its own loopback."""

import http.server
import threading

import requests


class Shop(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(302 if self.path == "/old" else 200)
        self.send_header("Location", "/new")
        self.send_header("Set-Cookie", "visit=1")
        self.end_headers()
        self.wfile.write((self.headers["Cookie"] or "no cookie").encode())

    def do_POST(self):
        form = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(418)
        self.end_headers()
        self.wfile.write(form)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
threading.Thread(target=server.serve_forever, daemon=True).start()
with requests.Session() as session:
    site = f"http://127.0.0.1:{server.server_port}"
    answer = session.get(f"{site}/old", timeout=10)
    print(answer.url.removeprefix(site), len(answer.history), answer.text)
    posted = session.post(site, data={"q": "täst & more"}, timeout=10)
    print(posted.status_code, posted.text)
    try:
        posted.raise_for_status()
    except requests.HTTPError as error:
        print(type(error).__name__)

# prints:
# /new 1 visit=1
# 418 q=t%C3%A4st+%26+more
# HTTPError
