"""No faster than a provider allows: calls in flight, requests a minute and tokens a minute, for each endpoint."""

import asyncio
from collections.abc import Iterable

from aiolimiter import AsyncLimiter

from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Model
from benchwright.errors import BadRequest
from benchwright.llm.endpoint import Endpoint, endpoint, endpoints
from benchwright.llm.gateway import Llm
from benchwright.llm.tokens import prompt_tokens

MINUTE = 60.0
BURST = 6  # the part of a minute's tokens that may go at once: a tenth of a minute's worth would starve long prompts


class Gate:
    """The way to one endpoint. Rates are smooth: no minute starts with a burst that the provider would refuse."""

    def __init__(self, model: Model) -> None:
        """`model` holds the limits of all who share the endpoint."""
        self.width = asyncio.Semaphore(model.width)
        self.requests = AsyncLimiter(1, MINUTE / model.rpm) if model.rpm else None
        self.tpm = model.tpm
        self.burst = max(1, model.tpm // BURST) if model.tpm else 0
        self.tokens = AsyncLimiter(self.burst, MINUTE * self.burst / model.tpm) if model.tpm else None

    async def turn(self, request: Request) -> None:
        """Wait until this request may leave; raises `BadRequest` where it never may."""
        owed = self.reserved(request)
        if self.requests:
            await self.requests.acquire()
        while self.tokens and owed > 0:  # a long prompt waits for its tokens part by part
            part = min(owed, self.burst)
            await self.tokens.acquire(part)
            owed -= part

    def reserved(self, request: Request) -> int:
        """Tokens that the request may use, at most a minute's worth."""
        prompt = prompt_tokens(request)
        if self.tpm and prompt > self.tpm:
            advice = f"more than the {self.tpm} a minute that tpm allows: raise tpm, or use shorter documents"
            raise BadRequest(f"model {request.model.name!r}: a prompt of about {prompt} tokens is {advice}")
        return min(prompt + request.model.max_tokens, self.tpm or 0)


class Limit:
    """Lets each request pass when its endpoint's turn comes; nothing is held while anyone is asked again."""

    def __init__(self, inner: Llm, models: Iterable[Model]) -> None:
        """`models` are all that may be asked for; those of the same endpoint share its limits."""
        self.inner = inner
        self.gates: dict[Endpoint, Gate] = {key: Gate(model) for key, model in endpoints(models).items()}

    async def ask(self, request: Request) -> Reply:
        """The reply, when it is this request's turn."""
        gate = self.gates[endpoint(request.model)]
        async with gate.width:
            await gate.turn(request)
            return await self.inner.ask(request)
