"""Requests that can wait go to their provider's batch API: cheaper, and answered within a day.

A request marked so is parked until its batch is full or no more come. A batch is written down before it leaves, and
what came of it is in the ledger before anyone sees it: whoever comes after a crash finds it at the provider.
"""

import asyncio
import copy
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field, replace
from time import time
from typing import Any, TypeVar
from uuid import uuid4

from benchwright.domain.batch import OpenBatch
from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Model
from benchwright.errors import BenchwrightError, RateLimited, Transient, UnknownModel, Unsent
from benchwright.llm.batch.api import Outcome, Progress, Service, Shelf
from benchwright.llm.gateway import Llm
from benchwright.llm.prices import cost
from benchwright.llm.providers.endpoint import Endpoint, endpoint

T = TypeVar("T")

BATCH_MOST = 1000  # requests in one batch
BYTES_MOST = 64_000_000  # of prompts in one batch; providers take 200 MB and more
QUIET = 30.0  # seconds without a further request, after which a batch leaves
FIRST, LONGEST = 30.0, 300.0  # seconds between two looks at a batch: at first, and at most
SLOWER = 1.5  # each wait between two looks to the one before
DAY = 86_400.0  # seconds that providers give themselves
GRACE = 3600.0  # seconds beyond that for which a provider without an answer is asked again


@dataclass(slots=True)
class Parcel:
    """Requests that gather for one batch."""

    name: str = field(default_factory=lambda: uuid4().hex)
    rows: dict[str, Request] = field(default_factory=dict)
    size: int = 0  # bytes of prompts and images

    def put(self, request: Request) -> None:
        """One more."""
        self.rows[request.id] = request
        self.size += sum(len(turn.content.encode("utf-8", "replace")) for turn in request.messages)
        self.size += sum(2 * image.size for turn in request.messages for image in turn.images)  # in base64, and more

    @property
    def full(self) -> bool:
        """Whether no more go in."""
        return len(self.rows) >= BATCH_MOST or self.size >= BYTES_MOST

    def batch(self, now: float) -> OpenBatch:
        """The batch that these requests become."""
        models = {call: request.model.name for call, request in self.rows.items()}
        return OpenBatch(self.name, next(iter(models.values())), now, now + DAY, models)


def settle_outcome(model: Model, call: str, outcome: Outcome, seconds: float) -> Outcome:
    """What the ledger gets: a reply with the call that it answers, its price, and how long it took."""
    if not isinstance(outcome, Reply):
        return outcome
    amount = cost(model, outcome.usage, batch=True)
    return replace(outcome, call=call, latency=seconds, cost=None if amount is None else float(amount))


class Batch:
    """Answers from batches what may wait, and everything else by asking on."""

    def __init__(
        self,
        inner: Llm,
        shelf: Shelf,
        models: Mapping[str, Model],
        serve: Callable[[Model], Service],
        now: Callable[[], float] = time,
    ) -> None:
        """`serve` gives the batch API of a model, `now` seconds since the epoch."""
        self.inner = inner
        self.shelf = shelf
        self.models = models
        self.serve = serve
        self.now = now
        self.services: dict[Endpoint, Service] = {}
        self.gathering: dict[Endpoint, Parcel] = {}
        self.held: dict[str, OpenBatch] = {}  # by call: what a provider holds, or may hold
        self.waiting: dict[str, asyncio.Future[Reply]] = {}  # by call: who waits for a batch
        self.tasks: dict[str, asyncio.Task[None]] = {}  # by batch: who sees it through
        self.loading: asyncio.Task[None] | None = None
        self.leaving = False

    async def ask(self, request: Request) -> Reply:
        """The reply, when its batch has come back; cancelled when batches are to be left where they are."""
        await self.load_open_batches()
        call = request.id if request.batch or self.held else ""
        if not request.batch and call not in self.held:
            return await self.inner.ask(request)
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.waiting[call] = reply
        try:
            if call not in self.held:
                self.park(request)
            elif self.leaving:
                reply.cancel()
            else:
                self.watch(self.held[call])
            return await reply
        finally:
            self.unpark(request, reply)

    async def load_open_batches(self) -> None:
        """Learn, once, what providers hold from an earlier run."""
        if self.loading is None:
            self.loading = asyncio.create_task(self.load())
        if not self.loading.done():
            await asyncio.shield(self.loading)
        self.loading.result()

    async def load(self) -> None:
        """Take up what earlier runs have left at their providers."""
        for batch in await self.shelf.open_batches():
            if batch.model in self.models:  # else the campaign has changed, and nobody asks for these calls any more
                self.held.update(dict.fromkeys(batch.calls, batch))
                self.watch(batch)

    def leave(self) -> None:
        """Nobody is to wait for a batch any more: what providers hold stays there, and what has not left does not."""
        self.leaving = True
        for call, reply in self.waiting.items():
            if call in self.held:
                reply.cancel()
            elif not reply.done():
                reply.set_exception(Unsent())

    def park(self, request: Request) -> None:
        """Put a request with those that gather for its endpoint."""
        if self.leaving:
            raise Unsent
        place = endpoint(request.model)
        parcel = self.gathering.get(place)
        if parcel is None or parcel.full:
            parcel = self.gathering[place] = Parcel()
            self.start(parcel.name, self.gather(place, parcel), parcel.rows)
        parcel.put(request)

    def unpark(self, request: Request, reply: "asyncio.Future[Reply]") -> None:
        """No longer wait; a request that has not left stays here."""
        if self.waiting.get(request.id) is reply:
            del self.waiting[request.id]
            if parcel := self.gathering.get(endpoint(request.model)):
                parcel.rows.pop(request.id, None)

    async def gather(self, place: Endpoint, parcel: Parcel) -> None:
        """Let requests gather until no more come, then see them through as one batch."""
        seen = -1
        while seen < len(parcel.rows) and not parcel.full:
            seen = len(parcel.rows)
            await asyncio.sleep(QUIET)
        if self.gathering.get(place) is parcel:
            del self.gathering[place]
        if parcel.rows and not self.leaving:
            batch = parcel.batch(self.now())
            self.held.update(dict.fromkeys(batch.calls, batch))
            await self.shelf.prepare(batch, parcel.rows)
            await self.through(batch, parcel.rows)

    def watch(self, batch: OpenBatch) -> None:
        """See to it that someone sees the batch through."""
        if batch.name not in self.tasks:
            self.start(batch.name, self.through(batch), batch.calls)

    def start(self, name: str, work: Coroutine[Any, Any, None], calls: Iterable[str]) -> None:
        """Work on a batch; an error that ends it is met by whoever waits for one of its calls."""
        task = self.tasks[name] = asyncio.create_task(work)

        def over(_: object) -> None:
            del self.tasks[name]
            if not task.cancelled() and (error := task.exception()):
                self.tell(dict.fromkeys(calls, error))

        task.add_done_callback(over)

    async def through(self, batch: OpenBatch, rows: Mapping[str, Request] | None = None) -> None:
        """See a batch to its end and give out what came of it.

        It is lost by a failure that does not pass, or if its provider does not know it when its time is over: before
        that the key may be another account's. Any other error leaves it where it is, for the next run.
        """
        service = self.service(self.models[batch.model])
        try:
            held = await self.send_batch(service, batch, rows)
            outcomes = await self.collect_outcomes(service, held)
        except Transient as error:
            outcomes = await self.lose_batch(batch, error)
        except UnknownModel as error:
            if self.now() < batch.expires:
                raise
            outcomes = await self.lose_batch(batch, Transient(str(error)))
        self.release(outcomes)

    async def send_batch(self, service: Service, batch: OpenBatch, rows: Mapping[str, Request] | None) -> OpenBatch:
        """The batch as its provider holds it: handed in, or found there."""
        if batch.remote:
            return batch
        progress = await self.hand_in(service, batch, rows) if rows else None
        if progress is None:
            progress = await self.patient(lambda: service.find(batch), batch)
        if progress is None:
            raise Transient(f"model {batch.model!r}: a batch of {len(batch.calls)} requests did not reach its provider")
        held = replace(batch, remote=progress.remote, expires=progress.expires or batch.expires)
        await self.shelf.submit(held)
        self.held.update(dict.fromkeys(held.calls, held))
        return held

    async def hand_in(self, service: Service, batch: OpenBatch, rows: Mapping[str, Request]) -> Progress | None:
        """What the provider says of a new batch; None where it may have taken it without our hearing of that."""
        try:
            return await service.submit(batch.name, rows)
        except RateLimited:
            raise
        except Transient:
            await asyncio.sleep(FIRST)
            return None
        except BenchwrightError as error:
            self.release(await self.lose_batch(batch, error))
            raise

    async def collect_outcomes(self, service: Service, batch: OpenBatch) -> dict[str, Outcome]:
        """What came of each call, once the batch has ended; it is in the ledger."""
        progress = await self.patient(lambda: self.check_end(service, batch), batch)
        models = {call: self.models.get(name, self.models[batch.model]) for call, name in batch.calls.items()}
        found = await self.patient(lambda: service.results(progress, models), batch)
        silent = f"model {batch.model!r}: the batch {batch.remote} ended without a reply to this request"
        nothing = progress.trouble or Transient(silent)
        seconds = max(0.0, self.now() - batch.at)  # the clock may have been set back
        outcomes = {call: settle_outcome(models[call], call, found.get(call, nothing), seconds) for call in batch.calls}
        await self.shelf.collect(batch.name, outcomes)
        return outcomes

    async def check_end(self, service: Service, batch: OpenBatch) -> Progress:
        """What the provider says of a batch that has ended; `Transient` while it has not."""
        progress = await service.look(batch)
        await self.shelf.progress(batch.name, progress.done)
        if not progress.ended:
            done = f"{progress.done} of {len(batch.calls)} requests"
            raise Transient(f"model {batch.model!r}: the batch {batch.remote} has done {done} in its time")
        return progress

    async def patient(self, question: Callable[[], Awaitable[T]], batch: OpenBatch) -> T:
        """The answer of a provider that may take its time with it; raises the last `Transient` when that is over."""
        clock = asyncio.get_running_loop().time  # which nobody sets
        until = clock() + max(0.0, batch.expires - self.now()) + GRACE
        wait = FIRST
        while True:
            try:
                return await question()
            except Transient as error:
                if clock() > until:
                    raise
                longer = error.retry_after or 0.0
            await asyncio.sleep(max(wait, longer))
            wait = min(LONGEST, wait * SLOWER)

    async def lose_batch(self, batch: OpenBatch, error: BenchwrightError) -> dict[str, Outcome]:
        """Nothing comes of the batch: its calls may go with another."""
        await self.shelf.lose(batch.name, str(error))
        return dict.fromkeys(batch.calls, error)

    def release(self, outcomes: Mapping[str, Outcome]) -> None:
        """The batch is over: give out what came of it."""
        for call in outcomes:
            self.held.pop(call, None)
        self.tell(outcomes)

    def tell(self, outcomes: Mapping[str, Reply | BaseException]) -> None:
        """Give everyone who waits what came of his call, to each an error of his own."""
        for call, outcome in outcomes.items():
            reply = self.waiting.get(call)
            if reply is None or reply.done():
                continue
            if isinstance(outcome, Reply):
                reply.set_result(outcome)
            else:
                reply.set_exception(copy.copy(outcome) if isinstance(outcome, BenchwrightError) else outcome)

    def service(self, model: Model) -> Service:
        """The batch API of a model, opened once."""
        place = endpoint(model)
        if place not in self.services:
            self.services[place] = self.serve(model)
        return self.services[place]

    async def aclose(self) -> None:
        """Stop looking after batches, and close their connections; they stay at their providers."""
        tasks = [*self.tasks.values(), *([self.loading] if self.loading else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        while self.services:
            _, service = self.services.popitem()
            await service.aclose()
