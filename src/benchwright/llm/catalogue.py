"""The models of a campaign: who serves each, whether it can be reached, and the way to all of them."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Protocol, TypeVar

from benchwright.domain.call import Message, Reply, Request
from benchwright.domain.campaign import Budget as Cap
from benchwright.domain.campaign import Model
from benchwright.domain.check import Check
from benchwright.domain.embed import embed
from benchwright.errors import (
    BadKey,
    BenchwrightError,
    ConfigError,
    Exhausted,
    RateLimited,
    Rejected,
    Transient,
)
from benchwright.llm import prices
from benchwright.llm.batch.api import Service, Shelf
from benchwright.llm.batch.batch import Batch
from benchwright.llm.budget import Budget, Earlier, demand_price
from benchwright.llm.cutting import Cutting
from benchwright.llm.embedder import Embedder, Embeddings, Vectors
from benchwright.llm.gateway import Llm
from benchwright.llm.images import BLIND, Album, ImageService, attach_images, demand_sight
from benchwright.llm.ledger import Departure, Ledger, Record
from benchwright.llm.limits.circuit import Circuit
from benchwright.llm.limits.limit import Limit, silent
from benchwright.llm.limits.shared import Say, place
from benchwright.llm.prices import cost
from benchwright.llm.providers.endpoint import Endpoint, endpoint, endpoints
from benchwright.llm.replies.disown import Disown
from benchwright.llm.replies.disown import Ledger as Disowning
from benchwright.llm.replies.rejections import Rejections
from benchwright.llm.replies.repair import Repair
from benchwright.llm.replies.spoil import Spoil

T = TypeVar("T")
SCOPED = re.compile(r"scope|permission", re.IGNORECASE)  # a key that may ask models, but not list them


class Provider(Llm, Protocol):
    """A model that holds connections or memory until it is closed."""

    async def aclose(self) -> None:
        """Let go of them; may be called again."""
        ...


def provider(model: Model) -> Provider:
    """Who answers for this model. Raises `BadKey` where its key is missing; loads and connects nothing yet."""
    match model.provider:
        case "local" if model.embeds:
            from benchwright.llm.providers.minilm import MiniLm

            return MiniLm(model)
        case "local":
            from benchwright.llm.providers.local import Local

            return Local(model)
        case "direct":
            from benchwright.llm.providers.direct import Direct

            return Direct(model)
        case _:
            from benchwright.llm.providers.hosted import Hosted

            return Hosted(model)


def batch_service(model: Model) -> Service:
    """Who takes a model's batches; the libraries that this needs are loaded when there is one."""
    from benchwright.llm.batch.service import service

    return service(model)


class Providers:
    """All models of a campaign behind one door: each endpoint is opened once, when it is first asked."""

    def __init__(self, models: Mapping[str, Model], album: Album) -> None:
        """Nothing is opened yet; `album` has the images that requests show."""
        self.album = album
        self.served = endpoints(models.values())
        self.open: dict[Endpoint, Provider] = {}

    async def ask(self, request: Request) -> Reply:
        """The reply of the request's model, with its price."""
        key = endpoint(request.model)
        if key not in self.open:
            self.open[key] = provider(self.served[key])
        reply = await self.open[key].ask(await attach_images(request, self.album))
        paid = cost(request.model, reply.usage)
        return replace(reply, cost=None if paid is None else float(paid))

    async def aclose(self) -> None:
        """Close what was opened."""
        while self.open:
            _, opened = self.open.popitem()
            await opened.aclose()


class Kept(Record, Disowning, Album, Vectors, Protocol):
    """What the chain needs of the campaign's database: the ledger, images, and embeddings."""


class Chain:
    """What the workers ask: the models of a campaign behind repair, ledger, budget and limits."""

    def __init__(
        self, record: Kept, models: Mapping[str, Model], cap: Cap, earlier: Earlier, shelf: Shelf | None, say: Say
    ) -> None:
        """The order is fixed.

        An identical call is answered from the record, costs nothing and takes no one's turn; a new one fits the budget,
        waits for its turn, is written down and leaves; a repair is a new call. A provider's failure goes back to the
        queue: nothing here tries again. Embeddings pass the same ledger, budget and limits.
        """
        self.record = record
        self.models = models
        self.providers = Providers(models, record)
        self.departure = Departure(self.providers, record)
        self.limit = Limit(Circuit(self.departure, models.values()), models.values(), place(), say)
        self.batch = Batch(self.limit, shelf, models, self.batch_service) if shelf else None
        self.ledger = Ledger(Budget(self.batch or self.limit, cap, earlier), record)
        self.llm = Spoil(Rejections(Disown(Repair(Cutting(self.ledger, say)), record)))
        self.embedders: dict[str, Embeddings] = {}

    def batch_service(self, model: Model) -> Service:
        """Who takes a model's batches."""
        return ImageService(batch_service(model), self.record)

    async def ask(self, request: Request) -> Reply:
        """The accepted reply; `request.model` says whose."""
        demand_sight(request)
        return await self.llm.ask(request)

    def embedder(self, name: str) -> Embedder:
        """The embeddings of a model of the catalogue; raises `ConfigError` where it embeds nothing."""
        if not self.models[name].embeds:
            raise ConfigError(f"model {name!r} embeds no texts: name one with embeds = true in its [models] entry")
        return self.embedders.setdefault(name, Embeddings(self.ledger, self.record, self.models[name]))

    def leave(self) -> int:
        """Send nothing more, and wait for no batch: what providers hold stays there; returns the calls in flight."""
        self.limit.leave()
        self.departure.leave()
        if self.batch:
            self.batch.leave()
        return self.limit.flying

    async def aclose(self) -> None:
        """Close every provider."""
        for embedder in self.embedders.values():
            await embedder.aclose()
        if self.batch:
            await self.batch.aclose()
        await self.providers.aclose()


def chain(
    record: Kept,
    models: Mapping[str, Model],
    cap: Cap | None = None,
    earlier: Earlier | None = None,
    shelf: Shelf | None = None,
    say: Say = silent,
) -> Chain:
    """The way to all models of a campaign, within a budget against which `earlier` counts; batches need a `shelf`.

    `say` is told once if the limits of endpoints cannot be shared with other campaigns on this machine.
    """
    return Chain(record, models, cap or Cap(), earlier or Earlier(), shelf, say)


async def probe(model: Model, cap: Cap | None = None, *, batch: bool = False, images: bool = False) -> Check:
    """Whether a model can be asked: its price where the cap needs one, key, extra, endpoint. Spends no paid token.

    With `batch` it must take batches too, with `images` images.
    """
    try:
        if images and not model.sees:
            raise ConfigError(f"model {model.name!r} takes no images, and a role shows it some: {BLIND}")
        await asyncio.to_thread(prices.price, model)  # reads the public list, which no call is to wait for later
        demand_price(model, cap or Cap())
        found = await find_model(model)
        return replace(found, message=f"{found.message}; {await takes_batches(model)}") if batch else found
    except BenchwrightError as error:
        return Check(model.name, ok=False, message=str(error))


async def find_model(model: Model) -> Check:
    """What answers for a model; raises what would stop a run."""
    match model.provider:
        case "local":
            return Check(model.name, ok=True, message=await answers(model))
        case "direct":
            return await serves(model)
        case _:
            from benchwright.llm.providers.hosted import ready

            provider(model)
            ready(model)
            message = f"litellm is installed, the key is set; {model.target} is not asked before the run"
            return Check(model.name, ok=True, message=message)


async def takes_batches(model: Model) -> str:
    """The model's provider has listed our batches, which costs nothing."""
    opened = batch_service(model)
    try:
        await patient(opened.ready)
    finally:
        await opened.aclose()
    return "it takes batches"


async def answers(model: Model) -> str:
    """A local model has read a word and written one."""
    opened = provider(replace(model, width=1, context=min(model.context, 512), max_tokens=8, reply="text"))
    try:
        asked: Request = (
            embed(model, ("yes",), "doctor")
            if model.embeds
            else Request(replace(model, max_tokens=8, reply="text"), (Message("user", ("Say yes.",)),), {})
        )
        reply = await opened.ask(asked)
    finally:
        await opened.aclose()
    return f"{model.target} runs in this process and answered in {reply.latency:.1f} s"


async def patient(question: Callable[[], Awaitable[T]]) -> T:
    """The answer of an endpoint that may still be loading its model: a passing failure is asked about twice more."""
    from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter

    patience = AsyncRetrying(
        retry=retry_if_exception_type(Transient),
        stop=stop_after_attempt(3),
        wait=wait_exponential_jitter(multiplier=0.2, max=2),
        reraise=True,
    )
    return await patience(question)


async def serves(model: Model) -> Check:
    """An endpoint has answered. Its list of models can only warn: many lists are short, and many endpoints have none.

    Raises what certainly stops a run: nobody answers, the key is wrong.
    """
    from benchwright.llm.providers.direct import Direct

    opened, place = Direct(model), f"{model.base_url} answers"
    try:
        names = await patient(opened.models)
    except (RateLimited, Exhausted) as error:  # the run itself waits, or pauses with the time to come back
        return Check(model.name, ok=True, message=f"{place}, but wants no more calls now: {error}")
    except Rejected as error:
        if isinstance(error.fault, BadKey):
            if error.certain and not SCOPED.search(str(error)):
                raise error.fault from None
            return Check(model.name, ok=True, message=f"{place}, but does not show its models: {error}", warning=True)
        return Check(model.name, ok=True, message=f"{place}, but lists no models")
    except Transient as error:
        if not opened.answered:
            raise
        return Check(model.name, ok=True, message=f"{place}, but not with a list of models: {error}", warning=True)
    finally:
        await opened.aclose()
    if is_listed(model.target, names):
        return Check(model.name, ok=True, message=f"{place} and serves {model.target}")
    some = ", ".join(sorted(names)[:8])
    return Check(
        model.name, ok=True, message=f"{place}, but does not list {model.target!r}; it has {some}", warning=True
    )


def is_listed(target: str, names: Sequence[str]) -> bool:
    """Whether a list has a model, perhaps with a tag, without its owner, or by a pattern; an empty list has any."""
    known = {form for name in names for form in (name, name.partition(":")[0], name.rpartition("/")[2])}
    wanted = {target, target.removesuffix(":latest"), target.rpartition("/")[2]}
    return not names or bool(known & wanted) or any(fnmatchcase(target, name) for name in names if "*" in name)
