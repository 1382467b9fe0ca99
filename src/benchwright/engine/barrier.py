"""Phases and the barriers between them: which items begin next, and when the next phase does.

A barrier falls once every item of a phase has ended. What the next phase draws on is recorded in the same transaction,
so whatever happens afterwards, and however often a run is interrupted, the same items begin.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf

from benchwright.domain.campaign import Campaign
from benchwright.domain.item import Seed
from benchwright.domain.source import Sources
from benchwright.engine.plans import Plans
from benchwright.pipelines.base import Pipeline, measures_apart
from benchwright.store import counts, items, jobs, phases
from benchwright.store.database import Connection
from benchwright.store.phases import Inputs, Phase
from benchwright.store.sources import Corpus

TOGETHER = 64  # items that begin at one look at most: the first calls leave before all that have room are planned


@dataclass(frozen=True, slots=True)
class Begun:
    """How many items have begun at one look, and the phases that have."""

    items: int
    phases: tuple[Phase, ...] = ()


@dataclass(frozen=True, slots=True)
class Admission:
    """How items of a campaign begin; in a pilot only the first `slots` of the first phase do."""

    campaign: Campaign
    pipeline: Pipeline
    plans: Plans
    slots: float = inf

    def open(self, connection: Connection) -> None:
        """At the start of a run: begin the first phase, or record how many items the present one wants by now."""
        if not phases.every(connection):
            phases.begin(connection, 0, self.pipeline.phases[0], 0)
        self.want(connection, phases.every(connection)[-1])

    def begin_items(self, connection: Connection, most_open: int) -> Begun:
        """Begin items while fewer than `most_open` are open, in the next phase where the present one has ended."""
        if not phases.every(connection):
            self.open(connection)
        *_, phase = phases.every(connection)
        corpus, fallen = Corpus(connection), list[Phase]()
        while True:
            progress = items.progress(connection, self.campaign.quota.tries, most_open, phase.name)
            if not progress.room:
                return Begun(0, tuple(fallen))
            drawn_on = sources(connection, phase)
            room = min(progress.room, TOGETHER)
            if seeds := self.pipeline.admit(drawn_on, replace(progress, corpus=corpus, room=room)):
                return Begun(self.begin(connection, seeds), tuple(fallen))
            if not (following := self.fall(connection, phase)):
                return Begun(0, tuple(fallen))
            phase = following
            fallen.append(phase)

    def count_held(self, connection: Connection, awake: Callable[[str], bool]) -> int:
        """How many items wait for models that rest, or were set aside, where each model is measured for itself.

        These hold back no others: models that are awake go on with further items.
        """
        if not measures_apart(self.pipeline):
            return 0
        unfinished = jobs.count_unfinished(connection).items()
        return sum(n.get("failed", 0) if awake(queue) else sum(n.values()) for queue, n in unfinished)

    def begin(self, connection: Connection, seeds: Sequence[Seed]) -> int:
        """Begin the items of these seeds; how many they are."""
        begun = [items.add(connection, seed) for seed in seeds if seed.slot < self.slots]
        for seq in filter(None, begun):
            self.plans.advance(connection, seq)
        return len(begun)

    def fall(self, connection: Connection, phase: Phase) -> Phase | None:
        """Let the barrier behind a phase fall, whose items have all begun, if nothing holds it; the next phase.

        People always hold it as long as nothing is kept: the next phase would have nothing, for good.
        """
        following = self.next_phase(phase)
        states = counts.of(connection, "item").get(phase.name, {})
        waiting = states.get("waiting", 0)
        waits = waiting and (self.campaign.quota.wait_for_people or not states.get("kept"))
        if not following or self.slots < inf or states.get("open") or waits:
            return None
        begun = phases.draw(connection, phase, following, waiting)
        self.want(connection, begun)
        return begun

    def want(self, connection: Connection, phase: Phase) -> None:
        """Record how many items a phase wants."""
        phases.want(connection, phase.position, self.pipeline.wanted_items(phase.name, sources(connection, phase)))

    def next_phase(self, phase: Phase) -> str:
        """The name of the next phase; empty after the last."""
        return next(iter(self.pipeline.phases[phase.position + 1 :]), "")

    def held_phase(self, connection: Connection) -> str:
        """The phase that cannot begin before people have decided; empty where none is held."""
        *_, phase = phases.every(connection)
        waiting = counts.of(connection, "item").get(phase.name, {}).get("waiting", 0)
        return self.next_phase(phase) if waiting else ""

    def phase_after_pilot(self, connection: Connection) -> str:
        """The phase that a pilot does not begin; empty where that is none."""
        *_, phase = phases.every(connection)
        return self.next_phase(phase) if self.slots < inf else ""

    def barren_phase(self, connection: Connection) -> str:
        """The first phase that has begun on no item; empty where that is none."""
        return next((phase.name for phase in phases.every(connection) if phase.position and not phase.drawn), "")

    def shortfall(self, connection: Connection) -> str:
        """How many of the items that are wanted no try has made, phase by phase; empty where that is none."""
        short = items.shortfalls_by_phase(connection)
        found = [(phase, short[phase.name]) for phase in phases.every(connection) if phase.name in short]
        of = {phase.name: f" of phase {phase.name}" if phase.name else "" for phase, _ in found}
        return ", ".join(f"{n} of {phase.wanted} items{of[phase.name]}" for phase, n in found)


def sources(connection: Connection, phase: Phase) -> Sources:
    """What a phase draws on."""
    return Inputs(connection, phase.position) if phase.position else Corpus(connection)


def announcement(phase: Phase) -> str:
    """A sentence that says that a phase begins, and on what it draws."""
    without = f", without {phase.without} that wait for people" if phase.without else ""
    return f"phase {phase.name} begins on {phase.drawn} kept items{without}"
