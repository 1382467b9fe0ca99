"""The server of the desk: on this machine alone, unless somebody gives a password for the rest of the world."""

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address

import uvicorn

from benchwright.errors import UsageError
from benchwright.web.guard import Guard
from benchwright.web.wire import BACKLOG, Wire

GRACE = 3  # seconds that requests in work have at the end
STOPS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class Address:
    """Where the desk is served; port 0 is any free one."""

    host: str = "127.0.0.1"
    port: int = 0

    @property
    def loopback(self) -> bool:
        """Whether it can be reached from this machine alone."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def names(self) -> tuple[str, ...]:
        """The names, beside addresses, by which browsers may call it."""
        return ("localhost",) if self.loopback else ("localhost", self.host.lower(), socket.gethostname().lower())

    def url(self, port: int) -> str:
        """The beginning of its links, on the port that it came to."""
        unnamed = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}  # noqa: S104 - looked for, not bound
        host = unnamed.get(self.host, self.host)
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def listen(address: Address) -> socket.socket:
    """A socket on that address; `UsageError` where it is not to be had."""
    try:
        family = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((address.host, address.port), family=family, backlog=128)
    except OSError as error:
        message = f"{address.host}:{address.port} cannot be served ({error.strerror}): give another --port or --host"
        raise UsageError(message) from error


class Server(uvicorn.Server):
    """A server that leaves signals to `serve`: it would raise them again after it has stopped."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


def configure(app: Guard) -> uvicorn.Config:
    """How the site is served. Whoever sends half a request does not keep the server from stopping."""
    return uvicorn.Config(
        app,
        http=Wire,
        ws="none",
        lifespan="off",
        backlog=BACKLOG,
        timeout_graceful_shutdown=GRACE,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )


async def serve(app: Guard, listening: socket.socket, ready: Callable[[], object]) -> None:
    """Serve until Ctrl-C or SIGTERM; `ready` is called before the first request can come."""
    server, loop = Server(configure(app)), asyncio.get_running_loop()

    def stop() -> None:
        server.should_exit = True

    for number in STOPS:
        loop.add_signal_handler(number, stop)
    try:
        ready()
        await server.serve(sockets=[listening])
    finally:
        for number in STOPS:
            loop.remove_signal_handler(number)
        listening.close()
