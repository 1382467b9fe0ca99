"""The worker: takes a ticket, asks the agent, and hands the answer in."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from random import random
from time import time
from typing import Any

from benchwright.agents.base import request
from benchwright.clock import steady, utc_iso
from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.call import Request
from benchwright.domain.campaign import Campaign
from benchwright.domain.ids import canonical
from benchwright.domain.item import Seed
from benchwright.engine.duplicates import Duplicates, Place
from benchwright.engine.log import Note, keep_silent
from benchwright.engine.outcome import (
    ALONE,
    DEADLY,
    Again,
    Aside,
    Doubt,
    Fate,
    Given,
    Record,
    Rest,
    Stop,
    outcome,
)
from benchwright.engine.plans import Plans
from benchwright.engine.readings import Readings
from benchwright.errors import BadKey, BadRequest, BenchwrightError, Fatal, Rejected, StoreFailed, UnknownModel
from benchwright.llm.gateway import Llm
from benchwright.pipelines.base import Due, Pipeline, Steady, measures_apart
from benchwright.store import calls, jobs, sources
from benchwright.store.database import Connection, Database, Rank
from benchwright.store.jobs import Ticket

Service = Callable[[Any, Seed], Awaitable[Mapping[str, Any]]]  # a question and whose it is; the answer's body


@dataclass(frozen=True, slots=True)
class Tools:
    """What workers share.

    `services` answer what is owed to code, by queue; `now` gives seconds of a steady clock, `date` those since the
    epoch; only the first `slots` are filled, for a pilot; `leave` ends all waiting, in lines and for batches, and
    returns how many calls are in flight; `note` takes what goes into the log. `plans` is what is known of the items in
    work; `findings` are the roles in which a reply that cannot be used is a finding about its model.
    """

    campaign: Campaign
    pipeline: Pipeline
    database: Database
    llm: Llm
    readings: Readings
    duplicates: Duplicates
    now: Callable[[], float] = steady
    date: Callable[[], float] = time
    slots: float = inf
    leave: Callable[[], int] = lambda: 0
    services: Mapping[str, Service] = field(default_factory=dict)
    note: Note = keep_silent
    plans: Plans = field(init=False)
    findings: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "plans", Plans(self.pipeline))
        recorded = (role.name for role in self.pipeline.roles if role.steady is Steady.RECORD)
        object.__setattr__(self, "findings", frozenset(recorded))
        self.database.undone.append(self.plans.forget)


async def work(tools: Tools, ticket: Ticket, known: Record | None = None) -> Fate | None:
    """Work off one ticket; what became of it, None where it is no longer owed. Only a cancellation escapes.

    With `known` nobody is asked: that is recorded.
    """
    try:
        return await attempt(tools, ticket, known)
    except Exception as error:  # noqa: BLE001 - whatever went wrong with one ticket must not take the others along
        return Stop(error)


async def attempt(tools: Tools, ticket: Ticket, known: Record | None) -> Fate | None:
    """Find out what the ticket stands for, ask, and hand in the answer or its failure."""
    owed = await tools.plans.due(tools.database, ticket)
    if owed is None:
        await tools.database.write(lambda connection: tools.plans.drop(connection, ticket))
        return None
    if ticket.blame >= DEADLY:
        known = Record("crashed", f"at least {DEADLY} processes died with it in work")
    if known:
        return await record(tools, ticket, owed, known)
    try:
        answer = await ask(tools, ticket, owed)
    except BenchwrightError as error:
        tools.note("failure", ticket, error=error)
        finding = owed.agent.name in tools.findings
        if isinstance(error, Rejected | Fatal) and not isinstance(error, StoreFailed):
            await locate(tools, ticket, error)
        fate = outcome(error, ticket.attempt, random(), blamed=bool(ticket.error), finding=finding)  # noqa: S311
        if measures_apart(tools.pipeline) and isinstance(error, BadKey | UnknownModel | BadRequest):
            fate = Rest(None, "endpoint", str(error), lasting=True)  # its other questions wait, other models go on
        return await settle(tools, ticket, owed, fate)
    await finish(tools, ticket, answer)
    tools.note("answer", ticket, answer=answer)
    return Given()


async def locate(tools: Tools, ticket: Ticket, error: BenchwrightError) -> None:
    """Let an error about a call name its item and document."""
    place = await describe_place(tools, ticket)
    error.locate(place)
    if isinstance(error, Rejected):
        error.fault.locate(place)


async def describe_place(tools: Tools, ticket: Ticket) -> str:
    """The item of a ticket, and what it is about, as people know them."""
    name = await tools.database.read(lambda connection: sources.name_of(connection, ticket.seed.about))
    return f"item {ticket.item[: sources.SHORT]}" + (f" ({name})" if name else "")


async def ask(tools: Tools, ticket: Ticket, owed: Due) -> Answer:
    """Put the question to its model, or to the code that answers it."""
    if owed.to in tools.services:
        await tools.database.write(lambda connection: jobs.depart(connection, ticket.id))
        body = await tools.services[owed.to](owed.ask, ticket.seed)
        return Answer(owed.agent.name, owed.about, "code", canonical(body))
    call = await build_request(tools, ticket, owed)
    finding, batch = owed.agent.name in tools.findings, goes_with_batch(tools.campaign, ticket, owed)
    asked = replace(call, batch=batch, finding=finding, job=ticket.id, item=ticket.seq, origin=call.id)
    reply = await tools.llm.ask(asked)
    return Answer(owed.agent.name, owed.about, owed.by, reply.text, reply.call)


async def build_request(tools: Tools, ticket: Ticket, owed: Due) -> Request:
    """The question as its model gets it."""
    content = await tools.readings.get(ticket.seed.about)
    return request(owed.agent, owed.ask, content, tools.campaign.models[owed.to], owed.run, tools.campaign.seed)


def goes_with_batch(campaign: Campaign, ticket: Ticket, owed: Due) -> bool:
    """Whether a question goes with a batch: what failed there a few times is asked alone."""
    return campaign.roles[owed.agent.name].batch and ticket.attempt <= ALONE


async def settle(tools: Tools, ticket: Ticket, owed: Due, fate: Fate) -> Fate:
    """Write down what becomes of a job that met an error."""
    match fate:
        case Again():
            until = tools.now() + fate.after
            await tools.database.write(lambda connection: jobs.delay(connection, ticket, until, counted=fate.counted))
        case Doubt():
            pass  # it stays claimed until the runner knows better
        case Record():
            await record(tools, ticket, owed, fate)
        case Aside() | Rest(blamed=True):
            await tools.database.write(lambda connection: tools.plans.set_aside(connection, ticket, fate.reason))
    return fate  # at a rest or a pause it stays claimed until the runner has taken note


async def give_back(tools: Tools, ticket: Ticket) -> Fate | None:
    """Let a ticket be claimed again as it was; a fate where not even that is possible."""
    try:
        await tools.database.write(lambda connection: jobs.give_back(connection, ticket))
    except BenchwrightError as error:
        return Stop(error)
    return None


async def record(tools: Tools, ticket: Ticket, owed: Due, fate: Record) -> Record:
    """Hand in the failure as the answer, with the call of its question if one is on record."""
    call = await find_call(tools, ticket, owed)
    await finish(tools, ticket, failure_answer(owed.agent.name, owed.about, owed.by, fate.cause, fate.detail, call))
    return fate


async def find_call(tools: Tools, ticket: Ticket, owed: Due) -> str | None:
    """The call in which a question was put to its model; None where it never left, or where code answers it."""
    if owed.to in tools.services:
        return None
    call = (await build_request(tools, ticket, owed)).id
    return call if await tools.database.read(lambda connection: calls.is_known(connection, call)) else None


async def finish(tools: Tools, ticket: Ticket, answer: Answer) -> None:
    """Append the answer and whatever follows from it, in one transaction."""
    now = utc_iso(tools.date())
    place = Place(ticket.seq, ticket.item, (ticket.seed.attempt, ticket.seed.slot))

    def operation(connection: Connection) -> None:
        if tools.plans.complete(connection, ticket, answer, now):
            tools.duplicates.add(connection, place, answer, now)

    await tools.database.write(operation, Rank.PAID)
