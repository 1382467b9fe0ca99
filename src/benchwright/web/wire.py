"""Connections of the desk: a request comes whole within some seconds or not at all, and only so many are open at once.

Without this, a browser that sends half a request keeps its connection, and a few hundred of them stop the server.
"""

import asyncio
import resource
from typing import cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 20.0  # within which a request has to be here, head and body
MOST = 100  # connections
BACKLOG = 32  # connections that are accepted in one go
INCOMPLETE = {h11.IDLE, h11.SEND_BODY}  # what a client is in while its request is not here


def most_open() -> int:
    """How many connections may be open: fewer where the system lets a process open few files."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(4, min(MOST, files // 4))


class Wire(H11Protocol):
    """A connection."""

    due: asyncio.TimerHandle | None = None  # when it is given up, while a request is not whole

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin; where too many are open, the one that has kept us waiting longest goes."""
        super().connection_made(transport)
        self.expect()
        idle = sorted((one for one in self.others() if one.due), key=lambda one: one.due.when() if one.due else 0.0)
        if len(self.connections) > most_open() and idle:
            idle[0].give_up()

    def data_received(self, data: bytes) -> None:
        """Take what came."""
        super().data_received(data)
        self.expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.stop_waiting()
        super().connection_lost(exc)

    def others(self) -> list["Wire"]:
        """All connections that are open."""
        return [cast("Wire", one) for one in self.connections]

    def expect(self) -> None:
        """Wait for the rest of a request, if it is not whole, from when it began."""
        if self.conn.their_state not in INCOMPLETE:
            self.stop_waiting()
        elif self.due is None:
            self.due = self.loop.call_later(SECONDS, self.give_up)

    def stop_waiting(self) -> None:
        """Wait no more."""
        if self.due:
            self.due.cancel()
        self.due = None

    def give_up(self) -> None:
        """Close the connection at once."""
        self.stop_waiting()
        self.transport.abort()
