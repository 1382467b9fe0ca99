"""The runner: admits items as others end, claims tickets up to each model's width, ends when nothing is owed."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import inf

from benchwright.clock import utc_iso
from benchwright.engine.barrier import Admission, Begun, announcement
from benchwright.engine.doubts import Doubts
from benchwright.engine.outcome import FAILURES, Aside, Doubt, Fate, Given, Pause, Record, Rest, Stop
from benchwright.engine.status import describe_batches
from benchwright.engine.worker import Tools, describe_place, give_back, work
from benchwright.errors import BenchwrightError, Unsent
from benchwright.llm.batch.batch import BATCH_MOST
from benchwright.pipelines.base import HUMAN, Served
from benchwright.pipelines.polling import UNAVAILABLE
from benchwright.store import campaigns, counts, items, jobs
from benchwright.store.database import Connection, Rank
from benchwright.store.jobs import Ticket
from benchwright.store.phases import Phase

LOOK = 0.5  # seconds between two looks at what other processes have written
PATIENCE = 600.0  # seconds that a run with nothing else to do waits for a model that rests
SERVED = 4  # questions that code answers at once, of each kind
REASON_MOST = 1000  # characters of an error that the end of a run keeps
REPORTED = 20  # failed calls that are named while it runs
LEASE = 3600.0  # seconds; one runner owns the file, so a lease only outlives a dead one


def claims(width: int) -> int:
    """How many tickets are in work for a model so wide: a few wait at its gate while others are being written down."""
    return width + width // 4


class How(StrEnum):
    """How a run ended."""

    DONE = "done"
    WAITING = "waiting"  # only people owe something
    PARTIAL = "partial"  # fewer items than asked for
    PAUSED = "paused"
    FAILED = "failed"  # an error ended it


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a run, and why.

    `cause` of a pause is `quota`, `budget`, `endpoint`, or empty where somebody asked for it; `until` is the time (UTC,
    ISO 8601) from which on a model gives more, where that is known. `phase` cannot begin before people have decided.
    """

    how: How
    reason: str = ""
    cause: str = ""
    until: str = ""
    phase: str = ""


def failed_end(error: Exception) -> Ended:
    """The end of a run that an error has ended; of several errors the first that has a name of ours counts."""
    known = error
    while isinstance(known, ExceptionGroup):
        ours = known.subgroup(BenchwrightError)
        known = (ours or known).exceptions[0]
    return Ended(How.FAILED, str(known)[:REASON_MOST], type(known).__name__)


@dataclass(frozen=True, slots=True)
class Rested:
    """A model that is left alone `until` then, in seconds of the steady clock."""

    until: float
    fate: Rest

    def long(self, now: float) -> bool:
        """Whether a run with nothing else to do does not wait for it."""
        left = self.until - now
        return left > PATIENCE or (self.fate.lasting and left > 0)


@dataclass(frozen=True, slots=True)
class Claimed:
    """What one look at the database brought."""

    tickets: tuple[Ticket, ...]
    admitted: int
    paused: bool
    phases: tuple[Phase, ...] = ()  # those that have begun


@dataclass
class Runner:
    """One run of a campaign.

    `suspects` says that processes have died with some tickets in work. Of those one is asked at a time, beside all
    others: so a ticket that kills its process is found out, and holds up nobody. `say` is told when a model is left
    alone, and of calls that failed. `doubts` are tickets whose replies could not be used, or whose requests were
    rejected, until the model has shown that it can do better; the end of a run hands back what is left of them.
    `asides` are the last failures of calls that wait for the next run, by model.
    """

    tools: Tools
    suspects: bool = False
    say: Callable[[str], object] = str
    rests: dict[str, Rested] = field(default_factory=dict)
    doubts: Doubts = field(default_factory=Doubts)
    asides: dict[str, str] = field(default_factory=dict)
    reported: int = 0
    tasks: dict[asyncio.Task[None], str] = field(default_factory=dict)
    stopping: Ended | None = None
    error: Exception | None = None

    def __post_init__(self) -> None:
        self.changed = asyncio.Event()
        campaign = self.tools.campaign
        self.admission = Admission(campaign, self.tools.pipeline, self.tools.plans, self.tools.slots)
        self.finishing = 0  # calls in flight when the run was told to stop
        self.suspected: asyncio.Task[None] | None = None
        self.served: dict[str, int] = {}  # the item of the last ticket of each queue
        widths = {name: claims(campaign.models[name].width) for name in campaign.serving_models}
        widths |= dict.fromkeys(self.tools.services, SERVED)
        # Enough to fill a batch; what does not go with one waits for its turn elsewhere.
        self.widths = widths | {name: max(widths[name], BATCH_MOST) for name in campaign.batch_models}

    def pause(self, reason: str, cause: str = "", until: str = "") -> None:
        """Finish what is in flight, then stop; nothing more is sent, batches are left at their providers."""
        if not self.stopping:
            self.tools.note("pause", cause=cause or "asked", until=until, error=self.error)
        self.stopping = self.stopping or Ended(How.PAUSED, reason, cause, until)
        self.finishing = self.tools.leave()
        self.changed.set()

    def stop(self, error: Exception) -> None:
        """Finish what runs, then raise the error."""
        self.error = self.error or error
        self.pause(str(error))

    def abort(self) -> None:
        """Hand back what runs and stop."""
        for task in self.tasks:
            task.cancel()

    async def run(self) -> Ended:
        """Work until nothing is owed, or until told to stop. Raises the error that stops a campaign."""
        await self.tools.database.write(self.admission.open)
        try:
            async with asyncio.TaskGroup() as group:
                while not await self.over(await self.look_safely(), group):
                    await self.wait()
        finally:
            await self.tools.database.write(jobs.hand_back, Rank.HAND_BACK)
        if self.error:
            raise self.error
        if self.stopping:
            left = await self.tools.database.read(describe_batches)
            return replace(self.stopping, reason=self.stopping.reason + left)
        return await self.tools.database.read(self.find_end)

    async def look_safely(self) -> Claimed:
        """One look; an error ends the run, but only after the calls in flight, which are paid for, are in."""
        try:
            return await self.look()
        except Unsent:
            return Claimed((), 0, paused=True)
        except BenchwrightError as error:
            self.stop(error)
            return Claimed((), 0, paused=True)

    async def look(self) -> Claimed:
        """Begin items and claim tickets, as many as there is room for."""
        self.changed.clear()
        if self.stopping:
            return Claimed((), 0, paused=True)
        busy = list(self.tasks.values())
        now = self.tools.now()
        free = {name: width - busy.count(name) for name, width in self.widths.items() if self.awake(name)}

        def operation(connection: Connection) -> Claimed:
            if campaigns.get(connection).paused:
                return Claimed((), 0, paused=True)
            suspect = self.claim_suspect(connection)
            begun = self.admit(connection)
            few = self.last_rounds(connection)
            claimed = [
                jobs.claim(connection, name, most, now, LEASE, few.get(name, 0))
                for name, most in free.items()
                if most > 0
            ]
            tickets = tuple(ticket for tickets in ([*suspect], *claimed) for ticket in tickets)
            return Claimed(tickets, begun.items, paused=False, phases=begun.phases)

        claimed = await self.tools.database.write(operation, Rank.CLAIM)
        self.served |= {ticket.queue: ticket.seq for ticket in claimed.tickets}
        return claimed

    def last_rounds(self, connection: Connection) -> dict[str, int]:
        """The item last served in each queue that is to serve its items by turns, for hardly more are left than fit.

        The oldest item goes first as long as there are many, so that items end early. Of the last ones, each is a chain
        of calls: if the oldest went first, the others would begin late and end one call at a time.
        """
        left = sum(states.get("open", 0) for states in counts.of(connection, "item").values())
        return {name: self.served.get(name, 0) for name, width in self.widths.items() if left <= 2 * width}

    def awake(self, queue: str) -> bool:
        """Whether a model may be asked now."""
        return queue not in self.rests or self.rests[queue].until <= self.tools.now()

    def claim_suspect(self, connection: Connection) -> tuple[Ticket, ...]:
        """A suspect, if there is one and none is in work."""
        if not self.suspects or self.suspected:
            return ()
        awake = [name for name in self.widths if self.awake(name)]
        found = jobs.claim_suspect(connection, awake, self.tools.now() + LEASE)
        return (found,) if found else ()

    def admit(self, connection: Connection) -> Begun:
        """Begin new items; open ones are at most twice what can be in flight, so memory stays flat."""
        most = 2 * sum(self.widths.values()) + self.doubts.count() + self.admission.count_held(connection, self.awake)
        return self.admission.begin_items(connection, most)

    async def over(self, claimed: Claimed, group: asyncio.TaskGroup) -> bool:
        """Start what was claimed; whether the run has come to its end."""
        for phase in claimed.phases:
            self.say(announcement(phase))
            self.tools.note("barrier", phase=phase.name, inputs=phase.inputs, drawn=phase.drawn, without=phase.without)
        if claimed.paused:
            self.pause("asked to pause")
            return not self.tasks
        if claimed.admitted:
            self.tools.note("admission", items=claimed.admitted)
            self.changed.set()
        for ticket in claimed.tickets:
            self.tools.note("claim", ticket)
            task = self.start(ticket, None, group)
            if ticket.blame >= jobs.SUSPECT:
                self.suspected = task
        return not self.tasks and not claimed.admitted and await self.idle(group)

    def start(self, ticket: Ticket, known: Record | None, group: asyncio.TaskGroup) -> "asyncio.Task[None]":
        """Work off a ticket beside the others."""
        task = group.create_task(self.serve(ticket, known), name=ticket.key)
        self.tasks[task] = ticket.queue
        task.add_done_callback(self.forget)
        return task

    async def idle(self, group: asyncio.TaskGroup) -> bool:
        """Nothing runs: wait for what is due soon, pause for what is not, write down what was in doubt, or end."""
        now, unfinished = self.tools.now(), await self.tools.database.read(jobs.count_unfinished)
        owed = {queue: sum(n.values()) - self.doubts.count(queue) for queue, n in unfinished.items() if queue != HUMAN}
        aside = {queue: n.get("failed", 0) for queue, n in unfinished.items()}
        long = {queue for queue, rested in self.rests.items() if rested.long(now)}
        if any(n > aside[queue] and queue not in long for queue, n in owed.items()):
            return False
        if waits := {queue: self.wait_for(queue) for queue, n in owed.items() if n}:
            if not await self.use_substitutes(waits, group):
                self.pause_for(min(waits.values(), key=lambda rested: rested.until))
        elif fault := await self.tools.database.read(self.doubts.find_fault):
            self.stop(fault)
        else:
            for ticket, known in self.doubts.take_all():
                self.start(ticket, known, group)
        return not self.tasks

    def wait_for(self, queue: str) -> Rested:
        """What keeps a model from being asked: its rest, or that all it owes is set aside."""
        return self.rests.get(queue) or Rested(inf, Rest(None, "endpoint", self.asides.get(queue, "")))

    async def use_substitutes(self, waits: Mapping[str, Rested], group: asyncio.TaskGroup) -> bool:
        """Give up on what models that are down owe in roles where their substitutes stand in; whether there was any."""
        models, now = self.tools.campaign.models, self.tools.now()
        steps = [role.name for role in self.tools.pipeline.roles if role.stand_ins]
        down = [name for name, rested in waits.items() if rested.fate.cause == "endpoint" and models[name].substitute]

        def operation(connection: Connection) -> list[Ticket]:
            claimed = [jobs.claim_steps(connection, name, steps, self.widths[name], now + LEASE) for name in down]
            return [ticket for tickets in claimed for ticket in tickets]

        for ticket in await self.tools.database.write(operation, Rank.CLAIM):
            self.start(ticket, Record(UNAVAILABLE, waits[ticket.queue].fate.reason), group)
        return bool(self.tasks)

    def pause_for(self, rested: Rested) -> None:
        """Nothing is left to do but for a model that rests."""
        fate, known = rested.fate, rested.fate.cause == "quota" and rested.until < inf
        date = utc_iso(self.tools.date() + rested.until - self.tools.now()) if known else ""
        self.pause(fate.reason, fate.cause, date)

    async def serve(self, ticket: Ticket, known: Record | None = None) -> None:
        """Work off a ticket, or put it off: its model may have gone to rest while it was claimed."""
        if known is None and not self.awake(ticket.queue):
            self.meet(ticket, await give_back(self.tools, ticket))
            return
        fate = await work(self.tools, ticket, known)
        self.tools.note("fate", ticket, fate=fate)
        self.meet(ticket, fate)
        await self.free(ticket, fate)
        await self.report(ticket, fate)
        if isinstance(fate, Given) and not self.stopping:
            for doubtful, record in self.doubts.take(ticket):
                await self.serve(doubtful, record)

    async def report(self, ticket: Ticket, fate: Fate | None) -> None:
        """Say which call failed and why, of the first ones."""
        if not isinstance(fate, Record | Aside) or isinstance(fate, Doubt):
            return
        self.reported += 1
        if self.reported > REPORTED:
            return
        role, place = ticket.key.partition("/")[0], await describe_place(self.tools, ticket)
        why = fate.reason if isinstance(fate, Aside) else fate.detail.removeprefix(f"{place}: ")
        until = "; set aside until the next run" if isinstance(fate, Aside) else ""
        more = "; further failures are counted only" if self.reported == REPORTED else ""
        self.say(f"{place}: {role} by {ticket.queue}: {fate.cause}: {why}{until}{more}")

    async def free(self, ticket: Ticket, fate: Fate | None) -> None:
        """Give back a ticket whose model rests, now that the rest is known: nobody claims it before."""
        if isinstance(fate, Rest) and not fate.blamed:
            self.meet(ticket, await give_back(self.tools, ticket))

    def meet(self, ticket: Ticket, fate: Fate | None) -> None:
        """What the fate of a ticket means for the run."""
        match fate:
            case Stop():
                self.stop(fate.error)
            case Pause():
                self.pause(fate.reason, fate.cause)
            case Rest():
                self.rest(ticket, fate)
            case Aside():
                self.asides[ticket.queue] = fate.reason
            case Doubt():
                self.doubts.add(ticket, fate)

    def rest(self, ticket: Ticket, fate: Rest) -> None:
        """Leave the model of a ticket alone for a while."""
        now, queue = self.tools.now(), ticket.queue
        if queue not in self.rests or self.rests[queue].until <= now:
            self.tools.note("rest", ticket, cause=fate.cause, after=fate.after, words=fate.reason)
            self.say(f"{queue} rests{'' if fate.after is None else f' for {fate.after:.0f} s'}: {fate.reason}")
        self.rests[queue] = Rested(inf if fate.after is None else now + fate.after, fate)

    def forget(self, task: "asyncio.Task[None]") -> None:
        """A task has ended."""
        del self.tasks[task]
        if task is self.suspected:
            self.suspected = None
        self.changed.set()

    async def wait(self) -> None:
        """Wait until a ticket ends, or for the next look."""
        try:
            await asyncio.wait_for(self.changed.wait(), LOOK)
        except TimeoutError:
            return

    def find_end(self, connection: Connection) -> Ended:
        """How the campaign stands when no model owes anything."""
        if lost := items.orphans(connection):
            message = f"{len(lost)} items are open but nothing is owed for them: please report this"
            raise BenchwrightError(message)
        if waiting := jobs.live(connection).get(HUMAN, 0):
            held = self.admission.held_phase(connection)
            before = f" before the phase {held} can begin" if held else ""
            return Ended(How.WAITING, f"people owe {waiting} decisions{before}", phase=held)
        if self.tools.campaign.quota.target is not None and (short := self.admission.shortfall(connection)):
            return Ended(How.PARTIAL, f"{short} could not be made")
        if barren := self.admission.barren_phase(connection):
            return Ended(How.PARTIAL, f"no item was kept for the phase {barren} to begin with")
        if failed := self.find_failure(connection):
            return Ended(How.PARTIAL, failed)
        if following := self.admission.phase_after_pilot(connection):
            return Ended(How.PAUSED, f"a pilot ends before the phase {following}")
        return Ended(How.DONE)

    def find_failure(self, connection: Connection) -> str:
        """That all came to nothing because calls failed; "" where it did not."""
        steps = {role.name for role in self.tools.pipeline.roles if role.served not in {Served.PEOPLE, Served.CODE}}
        said = [states for step, states in counts.of(connection, "answer").items() if step in steps]
        if said and not any("given" in states for states in said):
            return "every call to a model failed"
        ends, short = items.causes(connection), dict(items.shortfalls(connection))
        if (
            short
            and {cause.rpartition(": ")[2] for cause in short} <= FAILURES
            and not any(state == "kept" for state, *_ in ends)
        ):
            return f"no item could be made, because calls failed ({', '.join(f'{c} {n}' for c, n in short.items())})"
        return ""
