"""A web site on loopback that says what a test tells it, and remembers what it was asked."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Said:
    """One answer; `wait` in seconds before it leaves."""

    body: str | bytes = ""
    status: int = 200
    wait: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Site:
    """Where it is, and the path and body of every request so far."""

    url: str
    asked: list[tuple[str, str]] = field(default_factory=list)


@contextmanager
def site(answer: Callable[[str], Said]) -> Iterator[Site]:
    """Serve; `answer` takes the path of a request."""

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            found.asked.append((self.path, body))
            said = answer(self.path)
            time.sleep(said.wait)
            sent = said.body.encode() if isinstance(said.body, str) else said.body
            try:
                self.send_response(said.status)
                for name, value in {"Content-Length": str(len(sent)), **said.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(sent)
            except (BrokenPipeError, ConnectionResetError):
                pass  # the other side has given up, as it should

        do_GET = do_POST = handle_any  # noqa: N815 - the names of the standard library

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    found = Site(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
