"""The runner: admits items as others end, claims tickets up to each model's width, ends when nothing is owed."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from benchwright.domain.document import Outline
from benchwright.engine.outcome import CRASHES, Fate, Pause, Stop
from benchwright.engine.plans import planner
from benchwright.engine.worker import Tools, work
from benchwright.errors import BenchwrightError
from benchwright.pipelines.base import HUMAN
from benchwright.store import campaigns, documents, items, jobs
from benchwright.store.database import Connection, Rank
from benchwright.store.jobs import Ticket

LOOK = 0.5  # seconds between two looks at what other processes have written
LEASE = 3600.0  # seconds; one runner owns the file, so a lease only outlives a dead one


class How(StrEnum):
    """How a run ended."""

    DONE = "done"
    WAITING = "waiting"  # only people owe something
    PARTIAL = "partial"  # fewer items than asked for
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a run, and why."""

    how: How
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Claimed:
    """What one look at the database brought."""

    tickets: tuple[Ticket, ...]
    admitted: int
    paused: bool


@dataclass
class Runner:
    """One run of a campaign.

    `freed` are the tickets of runs that died, with how often each was claimed. Those that several processes died with
    are worked off first and one at a time: so a ticket that kills its process does not take others along.
    """

    tools: Tools
    freed: Mapping[int, int] = field(default_factory=dict)
    tasks: dict[asyncio.Task[None], str] = field(default_factory=dict)
    stopping: Ended | None = None
    error: Exception | None = None

    def __post_init__(self) -> None:
        self.changed = asyncio.Event()
        campaign = self.tools.campaign
        self.suspects = sorted((job for job, claims in self.freed.items() if claims >= CRASHES), reverse=True)
        self.widths = {name: campaign.models[name].width for name in campaign.used}

    def pause(self, reason: str) -> None:
        """Finish what runs, then stop."""
        self.stopping = self.stopping or Ended(How.PAUSED, reason)
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
        outlines = await self.tools.database.read(documents.outlines)
        try:
            async with asyncio.TaskGroup() as group:
                while not await self.over(await self.looked(outlines), group):
                    await self.wait()
        finally:
            await self.tools.database.write(jobs.hand_back, Rank.PAID)
        if self.error:
            raise self.error
        if self.stopping:
            return self.stopping
        return await self.tools.database.read(self.ended)

    async def looked(self, outlines: tuple[Outline, ...]) -> Claimed:
        """One look; an error ends the run, but only after the calls in flight, which are paid for, are in."""
        try:
            return await self.look(outlines)
        except BenchwrightError as error:
            self.stop(error)
            return Claimed((), 0, paused=True)

    async def look(self, outlines: tuple[Outline, ...]) -> Claimed:
        """Begin items and claim tickets, as many as there is room for."""
        self.changed.clear()
        if self.stopping:
            return Claimed((), 0, paused=True)
        busy = list(self.tasks.values())
        free = {name: width - busy.count(name) for name, width in self.widths.items()}

        def operation(connection: Connection) -> Claimed:
            if campaigns.get(connection).paused:
                return Claimed((), 0, paused=True)
            alone = self.alone(connection)
            if self.suspects:
                return Claimed(alone, 0, paused=False)
            admitted = self.admit(connection, outlines)
            now = self.tools.now()
            claimed = [jobs.claim(connection, name, most, now, LEASE) for name, most in free.items() if most > 0]
            return Claimed(tuple(ticket for tickets in claimed for ticket in tickets), admitted, paused=False)

        return await self.tools.database.write(operation, Rank.CLAIM)

    def alone(self, connection: Connection) -> tuple[Ticket, ...]:
        """The next ticket that is to be worked off alone, once the one before has ended."""
        while self.suspects and not self.tasks:
            # It stays on the list until the next look, so that nothing joins it.
            if found := jobs.claim_one(connection, self.suspects[-1], self.tools.now(), LEASE):
                return (found,)
            self.suspects.pop()
        return ()

    def admit(self, connection: Connection, outlines: tuple[Outline, ...]) -> int:
        """Begin new items; open ones are at most twice what can be in flight, so memory stays flat."""
        most_open = 2 * sum(self.widths.values())
        progress = items.progress(connection, self.tools.campaign.quota.tries, most_open)
        if not progress.room:
            return 0
        begun = [items.add(connection, seed) for seed in self.tools.pipeline.admit(outlines, progress)]
        for seq in filter(None, begun):
            jobs.advance(connection, seq, planner(self.tools.pipeline))
        return len(begun)

    async def over(self, claimed: Claimed, group: asyncio.TaskGroup) -> bool:
        """Start what was claimed; whether the run has come to its end."""
        if claimed.paused:
            self.pause("asked to pause")
            return not self.tasks
        for ticket in claimed.tickets:
            task = group.create_task(self.serve(ticket), name=ticket.key)
            self.tasks[task] = ticket.queue
            task.add_done_callback(self.forget)
        if self.tasks or claimed.admitted:
            return False
        live = await self.tools.database.read(jobs.live)
        return not set(live) - {HUMAN}

    async def serve(self, ticket: Ticket) -> None:
        """Work off a ticket."""
        self.meet(await work(self.tools, ticket))

    def meet(self, fate: Fate | None) -> None:
        """Stop or pause where that is the fate of a ticket."""
        if isinstance(fate, Stop):
            self.stop(fate.error)
        elif isinstance(fate, Pause):
            self.pause(fate.reason)

    def forget(self, task: "asyncio.Task[None]") -> None:
        """A task has ended."""
        del self.tasks[task]
        self.changed.set()

    async def wait(self) -> None:
        """Wait until a ticket ends, or for the next look."""
        try:
            await asyncio.wait_for(self.changed.wait(), LOOK)
        except TimeoutError:
            return

    def ended(self, connection: Connection) -> Ended:
        """How the campaign stands when no model owes anything."""
        if lost := items.orphans(connection):
            message = f"{len(lost)} items are open but nothing is owed for them: please report this"
            raise BenchwrightError(message)
        if waiting := jobs.live(connection).get(HUMAN, 0):
            return Ended(How.WAITING, f"{waiting} options wait for people")
        short = sum(n for _, n in items.shortfalls(connection))
        if self.tools.campaign.quota.target is not None and short:
            return Ended(How.PARTIAL, f"{short} of {self.tools.campaign.quota.target} items could not be made")
        return Ended(How.DONE)
