"""An endpoint that fails again and again is left alone for a while, then tried with one call.

What fails must be different requests: one that always fails says nothing about the others.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import monotonic

from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Model
from benchwright.errors import BenchwrightError, Down, RateLimited, Transient
from benchwright.llm.gateway import Llm
from benchwright.llm.providers.endpoint import Endpoint, endpoint, endpoints

IN_A_ROW = 5  # failures after which an endpoint is left alone
FIRST, LONGEST = 10.0, 300.0  # seconds: each rest is twice as long as the one before
FEW = 60.0  # the same, where few different requests fail and others were answered
LASTING = 600.0  # seconds after which it is down for long: a run with nothing else to do no longer waits for it


@dataclass(slots=True)
class Breaker:
    """What is known of one endpoint; times in seconds of any one clock."""

    failures: int = 0  # since its last answer, but for those of suspects
    answered: bool = False  # whether it has ever answered
    failing: set[str] = field(default_factory=set)  # the different requests that failed since its last answer
    suspects: set[str] = field(default_factory=set)  # requests that failed while it answered others
    last: str = ""  # what the last of them said
    rest: float = 0.0  # how long it is left alone, 0 while it is not
    since: float = 0.0  # when it was first left alone
    until: float = 0.0

    def record_answer(self) -> None:
        """It said something, if only no."""
        self.suspects |= self.failing
        self.failing, self.failures, self.rest, self.answered = set(), 0, 0.0, True

    def record_failure(self, now: float, said: str, call: str) -> None:
        """A call came to nothing. Those that were in flight when the rest began make it no longer."""
        if call not in self.suspects:
            self.failing.add(call)
            self.failures += 1
        self.last = said
        if self.rest and now >= self.until:
            self.rest = min(2 * self.rest, LONGEST)
        elif not self.rest and self.failures >= IN_A_ROW and (len(self.failing) > 1 or not self.answered):
            self.since, self.rest = now, FIRST
        else:
            return
        self.until = now + self.rest

    def down(self, now: float, *, asked: bool) -> Down:
        """The error of a call that has failed, or that is not tried, while the endpoint rests."""
        message = f"{self.last}; {self.failures} calls in a row have failed"
        few = self.answered and len(self.failing) < IN_A_ROW  # perhaps it is these requests that it cannot serve
        lasting = now - self.since >= (FEW if few else LASTING)
        return Down(message, max(0.0, self.until - now), asked=asked, lasting=lasting)


@dataclass(slots=True)
class Way:
    """The way to one endpoint; `probing` is held by the one call that tries whether it is back."""

    breaker: Breaker = field(default_factory=Breaker)
    probing: asyncio.Lock = field(default_factory=asyncio.Lock)


class Circuit:
    """Fails at once what an endpoint that is down would fail later; `Down` costs a job no attempt."""

    def __init__(self, inner: Llm, models: Iterable[Model], now: Callable[[], float] = monotonic) -> None:
        """`models` are all that may be asked for; those of the same endpoint are down together."""
        self.inner = inner
        self.now = now
        self.ways: dict[Endpoint, Way] = {key: Way() for key in endpoints(models)}

    async def ask(self, request: Request) -> Reply:
        """The reply; raises `Down` where the endpoint is left alone. Who comes while it is tried waits for that."""
        way = self.ways[endpoint(request.model)]
        if way.breaker.rest:
            async with way.probing:
                if self.now() < way.breaker.until and way.breaker.rest:
                    raise way.breaker.down(self.now(), asked=False)
                if way.breaker.rest:
                    return await self.attempt(way.breaker, request)
        return await self.attempt(way.breaker, request)

    async def attempt(self, breaker: Breaker, request: Request) -> Reply:
        """Ask, and learn from what becomes of it."""
        try:
            reply = await self.inner.ask(request)
        except Transient as error:
            if isinstance(error, RateLimited):
                breaker.record_answer()
                raise
            breaker.record_failure(self.now(), str(error), request.id)
            if not breaker.rest:
                raise
            raise breaker.down(self.now(), asked=True) from None
        except BenchwrightError:
            breaker.record_answer()
            raise
        breaker.record_answer()
        return reply
