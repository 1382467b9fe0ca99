"""What another rule, or a smaller panel, would make of the votes on record. Asks nobody; what was not asked stays open.

An item's end under other terms is its pipeline's own plan under them, so it is what a change would bring about.
Items are the last tries of their slots, which alone a change can touch: before a slot's next try began, the one before
had been given up. Things, the parts of items that were voted on, are those of all tries. Only yes/no votes stand under
a campaign's rule.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchwright.domain.answer import HUMAN
from benchwright.domain.ids import canonical
from benchwright.domain.item import Ending, ItemState
from benchwright.domain.vote import Routed
from benchwright.engine.plans import planner
from benchwright.errors import UsageError
from benchwright.pipelines.base import Pipeline, state_of
from benchwright.store import items, jobs
from benchwright.store.database import Connection

UNASKED = "unasked"  # its item ended before the panel had said enough about it, and needs no more
OPEN = "open"


@dataclass(frozen=True, slots=True)
class Look:
    """What a rule makes of a campaign.

    `things` by route: keep, human, reject, open (votes are lacking), unasked. `votes` are those that could still be
    asked for about the open ones, at most. `items` by state. `people` counts, by route, what people decided about such
    things. `ratios` counts things by tenths of their keep votes (10 is all), and route.
    """

    things: Counter[str] = field(default_factory=Counter)
    items: Counter[str] = field(default_factory=Counter)
    votes: int = 0
    people: Mapping[str, Counter[str]] = field(default_factory=dict)
    ratios: Mapping[int, Counter[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The rule as it is and as it might be; `moved` counts things by their route now and then."""

    now: Look
    then: Look
    moved: Mapping[tuple[str, str], int]


def demand_votes(pipeline: Pipeline) -> None:
    """Raise `UsageError` where no yes/no votes stand under the campaign's rule, so that another one has no meaning."""
    if not any(role.votes for role in pipeline.roles):
        message = (
            f"{pipeline.name}: no {pipeline.kind.thing} of this kind is decided by yes/no votes under [rule], so there "
            "is no other rule to try; benchwright checkers shows how its panel agrees"
        )
        raise UsageError(message)


def whatif(connection: Connection, now: Pipeline, then: Pipeline) -> WhatIf:
    """Compare two pipelines that differ in rule or panel only."""
    before, after = under(connection, now), under(connection, then)
    moved = Counter((a.route, b.route) for a, b in zip(before[1], after[1], strict=True))
    return WhatIf(look(*before), look(*after), moved)


def under(connection: Connection, pipeline: Pipeline) -> tuple[list[str], list[Routed]]:
    """The state of each slot, and the route of each thing, under one pipeline's terms."""
    last = set(items.latest(connection))
    states: list[str] = []
    things: list[Routed] = []
    for row in items.pages(connection):
        state = state_of(pipeline, row.seed, items.answers(connection, row.seq))
        end = ending(pipeline, state) if row.seq in last else ""
        states += filter(None, [end])
        if body := pipeline.body(state):
            things += (with_route(thing, asked=end == ItemState.OPEN) for thing in pipeline.kind.routes(body))
    return states, things


def ending(pipeline: Pipeline, state: Any) -> str:
    """How an item stands."""
    owed = pipeline.plan(state)
    if isinstance(owed, Ending):
        return owed.state
    return ItemState.WAITING if all(due.to == HUMAN for due in owed) else ItemState.OPEN


def with_route(thing: Routed, *, asked: bool) -> Routed:
    """A thing whose votes are lacking is open while its item still asks for them, and goes unasked otherwise."""
    if thing.route:
        return replace(thing, lacks=0)
    return replace(thing, route=OPEN) if asked else replace(thing, route=UNASKED, lacks=0)


def look(states: Sequence[str], things: Sequence[Routed]) -> Look:
    """Count."""
    people: dict[str, Counter[str]] = {}
    ratios: dict[int, Counter[str]] = {}
    for thing in things:
        if thing.decided:
            people.setdefault(thing.route, Counter())[thing.decided] += 1
        if thing.ratio is not None:
            ratios.setdefault(int(10 * thing.ratio), Counter())[thing.route] += 1
    routes = Counter(thing.route for thing in things)
    return Look(routes, Counter(states), sum(thing.lacks for thing in things), people, dict(sorted(ratios.items())))


def replan_slots(connection: Connection, pipeline: Pipeline) -> Counter[tuple[str, str]]:
    """Plan the last try of each slot again under changed terms; how many moved from which state to which.

    An item whose end is the same to the last letter is left alone. One that was kept may be discarded, and the
    other way round, or be open again, or wait for people; what people have decided holds.
    """
    moved: Counter[tuple[str, str]] = Counter()
    plan = planner(pipeline)
    for seq in items.latest(connection):
        row = items.get(connection, seq)
        owed = plan(row.seed, items.answers(connection, seq))
        if isinstance(owed, Ending) and has_ended_so(pipeline, row, owed):
            continue
        jobs.advance(connection, seq, plan)
        after = items.get(connection, seq).state
        if after != row.state:
            moved[row.state, after] += 1
    return moved


def has_ended_so(pipeline: Pipeline, row: items.Row, verdict: Ending) -> bool:
    """Whether an item has ended in this very way; its body may have been stored by an earlier version."""
    body = None if row.body is None else pipeline.kind.write(pipeline.kind.read(row.body))
    return canonical([row.state, row.cause, row.detail, body]) == canonical(
        [verdict.state, verdict.cause, verdict.detail, verdict.body]
    )
