"""Texts in, vectors out: a text is embedded once, however often and in whatever company it is asked for.

What is on record is not asked for again. The rest is cut into batches, each of which is a call like any other: it has
an entry in the ledger, fits the budget, waits for its turn, and its failure goes back to whoever asks.
"""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Protocol

from benchwright.domain.call import tokens
from benchwright.domain.campaign import Model
from benchwright.domain.embed import Embed, Vector, embed, space, unpack
from benchwright.domain.ids import text_id
from benchwright.errors import Unusable
from benchwright.llm.gateway import Llm

TEXTS_MOST = 64  # in one call
TOKENS_MOST = 16_000  # in one call, by estimate; a longer text goes alone


class Embedder(Protocol):
    """Anything that embeds texts."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of the texts, in their order, each of length 1; raises what a call raises."""
        ...


class Vectors(Protocol):
    """Where embeddings are kept; the ledger's record puts them there when it settles a call."""

    async def vectors(self, space: str, texts: Sequence[str]) -> dict[str, bytes]:
        """Those that there are, by the ids of their texts."""
        ...


class Embeddings:
    """The embeddings of one model. What several ask for at the same time is in one call only."""

    def __init__(self, inner: Llm, kept: Vectors, model: Model, step: str = "embed") -> None:
        """`inner` is the ledger and what is behind it; `step` names the purpose in accounts."""
        self.inner = inner
        self.kept = kept
        self.model = model
        self.step = step
        self.space = space(model)
        self.flights: dict[str, asyncio.Task[dict[str, bytes]]] = {}  # by text id: who gets its vector

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of the texts, in their order; what was paid for before an error is on record."""
        names = [text_id(text) for text in texts]
        new = {name: text for name, text in zip(names, texts, strict=True) if name not in self.flights}
        if new:
            task = asyncio.create_task(self.obtain(new))
            self.flights.update(dict.fromkeys(new, task))
            task.add_done_callback(lambda done: self.land(done, new))
        flights = {self.flights[name] for name in names}
        found: dict[str, bytes] = {}
        for flight in flights:
            found |= await asyncio.shield(flight)  # whoever asked first may go: the others still wait for it
        return [unpack(found[name]) for name in names]

    def land(self, flight: "asyncio.Task[dict[str, bytes]]", names: dict[str, str]) -> None:
        """They are on record now, or have failed: whoever comes next looks there, and asks anew."""
        for name in names:
            self.flights.pop(name, None)
        if not flight.cancelled():
            flight.exception()  # known to those who wait; if nobody does, nobody need be told

    async def obtain(self, texts: dict[str, str]) -> dict[str, bytes]:
        """The vectors of these texts by their ids: from the record, and what is missing there by calls."""
        found = await self.kept.vectors(self.space, list(texts))
        missing = [text for name, text in texts.items() if name not in found]
        calls = [self.pay(embed(self.model, batch, self.step)) for batch in batches(missing, self.model.tpm)]
        # All end before an error is raised: a call that is cut off may be paid for all the same.
        ended = await asyncio.gather(*calls, return_exceptions=True)
        for one in ended:
            if isinstance(one, BaseException):
                raise one
            found |= one
        return found

    async def pay(self, request: Embed) -> dict[str, bytes]:
        """The vectors of one call, as they are on record."""
        await self.inner.ask(request)
        found = await self.kept.vectors(self.space, request.names)
        if len(found) < len(set(request.names)):
            raise Unusable(f"model {request.model.name!r}: an earlier call for these texts gave no usable vectors")
        return found

    async def aclose(self) -> None:
        """Wait for nobody any more."""
        tasks = set(self.flights.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def batches(texts: Sequence[str], tpm: int | None = None) -> Iterator[tuple[str, ...]]:
    """The texts in order, cut by their number and by their tokens; a minute's tokens are enough for each batch."""
    most = min(TOKENS_MOST, tpm // 2) if tpm else TOKENS_MOST
    batch: list[str] = []
    size = 0
    for text in texts:
        more = tokens(text)
        if batch and (len(batch) >= TEXTS_MOST or size + more > most):
            yield tuple(batch)
            batch, size = [], 0
        batch.append(text)
        size += more
    if batch:
        yield tuple(batch)
