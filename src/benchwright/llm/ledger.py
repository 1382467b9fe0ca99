"""Nothing completed is paid for twice: every call is looked up first, and written down just before it leaves.

Between the two lies the line of the endpoint (`limits/limit.py`). A request that waits there has not left: nothing is
written of it, and when the run stops it never leaves.
"""

import asyncio
from dataclasses import dataclass, replace
from typing import Protocol

from benchwright.domain.call import Reply, Request
from benchwright.errors import BenchwrightError, Rejected, Unsent
from benchwright.llm.gateway import Llm


class Record(Protocol):
    """Where calls are kept; each method returns when what it wrote is durable."""

    async def find(self, request: Request) -> Reply | None:
        """The reply of a completed call."""
        ...

    async def begin(self, request: Request) -> None:
        """The call leaves: from now on it may be paid for."""
        ...

    async def settle(self, request: Request, reply: Reply) -> None:
        """The call is completed."""
        ...

    async def fail(self, request: Request, error: str) -> None:
        """The call came to nothing."""
        ...


def cause_of(error: BenchwrightError) -> str:
    """Why a call failed: the cause that its error names, or what the error is."""
    return error.cause if isinstance(error, Rejected) else type(error).__name__


@dataclass(slots=True)
class Flight:
    """One call in the air and how many wait for it; `landed` once its reply is here."""

    task: "asyncio.Task[Reply]"
    landed: asyncio.Event
    waiting: int = 0


class Ledger:
    """Answers an identical call from the record; identical calls at the same time share one."""

    def __init__(self, inner: Llm, record: Record) -> None:
        """`inner` is asked only for what `record` does not hold."""
        self.inner = inner
        self.record = record
        self.flights: dict[str, Flight] = {}

    async def ask(self, request: Request) -> Reply:
        """The recorded reply, or a new one that is recorded before anyone sees it."""
        flight = self.flights.get(request.id) or self.depart(request)
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                await self.abandon(request.id, flight)

    def depart(self, request: Request) -> Flight:
        """Start the one call for everyone who asks this until it ends."""
        landed = asyncio.Event()
        flight = Flight(asyncio.create_task(self.pay(request, landed)), landed)
        self.flights[request.id] = flight
        flight.task.add_done_callback(lambda _: self.forget(request.id, flight))
        return flight

    def forget(self, call: str, flight: Flight) -> None:
        """The next identical request starts anew."""
        if self.flights.get(call) is flight:
            del self.flights[call]

    async def abandon(self, call: str, flight: Flight) -> None:
        """Nobody waits any more: end the call, its intent stays; but a reply that is here is still written down."""
        self.forget(call, flight)
        if not flight.landed.is_set():
            flight.task.cancel()
        await asyncio.wait([flight.task])

    async def pay(self, request: Request, landed: asyncio.Event) -> Reply:
        """Look up, ask, write the reply."""
        if recorded := await self.record.find(request):
            return replace(recorded, call=request.id, recorded=True)
        reply = replace(await self.inner.ask(request), call=request.id)
        landed.set()
        await self.record.settle(request, reply)
        return reply


class Departure:
    """Writes down that a call leaves, at the moment when it does, and that it came to nothing where it did."""

    def __init__(self, inner: Llm, record: Record) -> None:
        """`inner` sends each request at once."""
        self.inner = inner
        self.record = record
        self.leaving = False

    async def ask(self, request: Request) -> Reply:
        """The reply; raises `Unsent` where the run stopped while the intent was written."""
        await self.write_intent(request)
        try:
            if self.leaving:
                raise Unsent
            return await self.inner.ask(request)
        except BenchwrightError as error:
            await self.record.fail(request, f"{cause_of(error)}: {error}")
            raise

    async def write_intent(self, request: Request) -> None:
        """Note that the call leaves; whoever gives up meanwhile leaves no trace of a call that was never sent."""
        intent = asyncio.ensure_future(self.record.begin(request))
        try:
            await asyncio.shield(intent)
        except asyncio.CancelledError:
            await asyncio.wait([intent])
            if not intent.exception():
                await self.record.fail(request, "never sent")
            raise

    def leave(self) -> None:
        """The run stops: nothing more is sent."""
        self.leaving = True
