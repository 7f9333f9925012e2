"""Asks a server on its own loopback, side by side, and checks the answers with pydantic."""

import asyncio
import http.server
import json
import threading

import httpx
from pydantic import BaseModel, ValidationError


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        number = int(self.path.rpartition("/")[2])
        body = json.dumps({"number": number, "square": number**2 if number != 3 else "nine"}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Square(BaseModel):
    number: int
    square: int


async def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.server_port}") as client:
        for response in await asyncio.gather(*(client.get(f"/{n}") for n in range(1, 4))):
            try:
                print(Square.model_validate_json(response.raise_for_status().content))
            except ValidationError as error:
                print(error.error_count(), error.errors()[0]["loc"], error.errors()[0]["type"])


asyncio.run(main())

# prints:
# number=1 square=1
# number=2 square=4
# 1 ('square',) int_parsing
