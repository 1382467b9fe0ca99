"""A provider in virtual time that notes what reaches it, and the sliding minute by which it would judge."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from tests import clock

from benchwright.domain.call import Message, Reply, Request, Usage
from benchwright.domain.campaign import Model
from benchwright.llm.limits.limit import Limit
from benchwright.llm.limits.tokens import prompt_tokens

MODEL = Model("m", "direct", "m-1", base_url="http://127.0.0.1:1/v1", width=64, adaptive=False, max_tokens=20)
MINUTE = 60.0


def request(n: int = 0, model: Model = MODEL, prompt: int = 0, step: str = "") -> Request:
    """One of several questions; `prompt` is about how many tokens it has."""
    words = Message("user", (f"Q{n}".ljust(3 * (prompt - 8)),))
    return Request(model, (words,), {}, step=step)


@dataclass
class Provider:
    """Answers after `takes` seconds; a reply is `says(n)` tokens long, or what that raises."""

    takes: Callable[[int], float] = lambda _: 1.0
    says: Callable[[int], int | Exception] = lambda _: 10
    arrived: list[tuple[float, Request]] = field(default_factory=list)
    used: list[tuple[float, int]] = field(default_factory=list)  # when it arrived, the tokens that it used
    flying: int = 0
    most: int = 0

    async def ask(self, request: Request) -> Reply:
        number, when = len(self.arrived), clock.now()
        self.arrived.append((when, request))
        said = self.says(number)
        if isinstance(said, int):  # also where the caller does not wait for it: the provider goes on
            self.used.append((when, prompt_tokens(request) + said))
        self.flying += 1
        self.most = max(self.most, self.flying)
        try:
            await asyncio.sleep(self.takes(number))
        finally:
            self.flying -= 1
        if isinstance(said, Exception):
            raise said
        return Reply("yes", usage=Usage(prompt_tokens(request), said))

    @property
    def times(self) -> list[float]:
        """When each arrived, in seconds since the first."""
        return [when - self.arrived[0][0] for when, _ in self.arrived]


def busiest(events: Sequence[tuple[float, int]]) -> int:
    """The most that any sixty seconds hold, both ends included."""
    return max((sum(n for when, n in events if begin <= when <= begin + MINUTE) for begin, _ in events), default=0)


def limit(provider: Provider, **limits: int | bool) -> Limit:
    """The provider behind one endpoint's limits."""
    return Limit(provider, [replace(MODEL, **limits)], now=clock.now)  # type: ignore[arg-type]


async def ask_all(llm: Limit, requests: Sequence[Request]) -> list[Reply | BaseException]:
    """All at once."""
    return await asyncio.gather(*map(llm.ask, requests), return_exceptions=True)
