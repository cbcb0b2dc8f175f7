"""A desk that takes notices over HTTP."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any


class Desk:
    """Takes notices over HTTP; ``answer`` is the status that it gives."""

    def __init__(self) -> None:
        self.taken: list[dict[str, Any]] = []
        self.answer = 204
        desk = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if desk.answer < 300:
                    desk.taken.append(json.loads(body))
                self.send_response(desk.answer)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/secret-token"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
