"""The loopback provider of `benchwright.drill` with what only tests need: what was in work at once, a log on disk.

Run it as `python -m tests.stub --port 0 --log FILE --latency 0.02`: it prints its address and appends one JSON line
for each request to FILE: the SHA-256 of the body, the model, the time. In a test: `async with Stub() as stub`.
"""

import argparse
import asyncio
import hashlib
import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from benchwright.domain.filler import digest
from benchwright.drill.provider import Answer, Loopback, Raw, completion, fit_schema

__all__ = ["Answer", "Raw", "Stub", "completion", "digest", "fit_schema"]


class Stub(Loopback):
    """The server; `most` is how many requests were in work at once."""

    def __init__(self, answer: Answer = fit_schema, latency: float = 0.0, log: str = "") -> None:
        super().__init__(answer, latency)
        self.log = log
        self.busy = 0
        self.most = 0

    async def work(self, body: dict[str, Any], sent: bytes) -> dict[str, Any] | Raw:
        """Count how many are in work."""
        self.busy += 1
        self.most = max(self.most, self.busy)
        try:
            return await super().work(body, sent)
        finally:
            self.busy -= 1

    def note(self, body: dict[str, Any], sent: bytes) -> None:
        """One line for each request, whole even when this process is killed."""
        if not self.log:
            return
        line = {"sha256": hashlib.sha256(sent).hexdigest(), "model": body.get("model"), "time": time.time()}
        file = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        os.write(file, (json.dumps(line) + "\n").encode())
        os.close(file)


S = TypeVar("S", bound=Loopback)


@contextmanager
def in_thread(server: S) -> Iterator[S]:
    """Serve in a thread of its own, so that a command line has an event loop to itself."""
    ready, done = threading.Event(), threading.Event()

    async def serve() -> None:
        async with server:
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    ready.wait()
    try:
        yield server
    finally:
        done.set()
        thread.join()


async def main(port: int, log: str, latency: float) -> None:
    """Serve until killed."""
    stub = Stub(latency=latency, log=log)
    await stub.start(port)
    print(stub.url, flush=True)  # noqa: T201 - the caller reads the address
    await stub.server.serve_forever()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--log", default="")
    options.add_argument("--latency", type=float, default=0.0)
    given = options.parse_args()
    asyncio.run(main(given.port, given.log, given.latency))
