"""What a campaign's votes tell: how good its voters are, what another rule would make of them, and changing to it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import time
from typing import Any

from benchwright.app import recipe
from benchwright.begun import Opened, look_at_campaign, open_campaign, pipeline_of
from benchwright.campaign_file import Replaced, finish_change
from benchwright.clock import utc_iso
from benchwright.config import Change, describe_changes, differences, edit_file, parse
from benchwright.domain.campaign import Campaign
from benchwright.domain.opinion import is_name
from benchwright.domain.quality import Quality
from benchwright.engine.checkers import measure_checkers
from benchwright.engine.whatif import Look, WhatIf, demand_votes, replan_slots, whatif
from benchwright.errors import ChangedCampaign, NotFound, UsageError
from benchwright.glance import place
from benchwright.store import campaigns
from benchwright.store.database import Connection
from benchwright.store.owner import own_campaign, own_database

__all__ = ["Change", "Checkers", "Compared", "Earlier", "apply", "checkers", "compare"]

LONG = 3600.0  # seconds that reading a large campaign may take


@dataclass(frozen=True, slots=True)
class Earlier:
    """A change that was made: when, by whom, why, and what it changed, one line each."""

    at: str
    who: str
    why: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checkers:
    """The panels of a campaign, measured: one for each kind of words; `thing` is what they are about, in a word."""

    thing: str
    panels: tuple[Quality, ...]

    def json(self) -> dict[str, Any]:
        """The panels as JSON values."""
        return {
            "panels": [
                asdict(one) | {"checkers": [who.json() for who in one.checkers], "flags": one.flags}
                for one in self.panels
            ]
        }


@dataclass(frozen=True, slots=True)
class Compared:
    """A campaign under its rule and under another; `earlier` are the changes made so far.

    `thing` is what was voted on, in a word: its plural names the counts in JSON. `changes` tell what would be, or
    `applied` has been, changed; `moved` then counts items by their states before and after.
    """

    what: WhatIf
    changes: tuple[str, ...]
    earlier: tuple[Earlier, ...]
    thing: str
    applied: bool = False
    moved: Mapping[tuple[str, str], int] | None = None

    def json(self) -> dict[str, Any]:
        """The comparison as JSON values."""
        return {
            "now": as_json(self.what.now, self.thing),
            "then": as_json(self.what.then, self.thing),
            "moved": [{"from": a, "to": b, f"{self.thing}s": n} for (a, b), n in sorted(self.what.moved.items())],
            "changes": list(self.changes),
            "earlier": [{"at": e.at, "who": e.who, "why": e.why, "changes": list(e.changes)} for e in self.earlier],
            "applied": self.applied,
            "items": [{"from": a, "to": b, "items": n} for (a, b), n in sorted((self.moved or {}).items())],
        }


def as_json(look: Look, thing: str) -> dict[str, Any]:
    """What a rule makes of a campaign, as JSON values."""
    return {
        f"{thing}s": dict(look.things),
        "items": dict(look.items),
        "votes": look.votes,
        "people": {route: dict(said) for route, said in look.people.items()},
        "ratios": {f"{tenth / 10:.1f}": dict(routes) for tenth, routes in look.ratios.items()},
    }


async def checkers(path: Path) -> Checkers:
    """How good a campaign's voters are."""
    async with look_at_campaign(path) as begun:
        panels = await begun.database.read(
            lambda connection: measure_checkers(connection, begun.pipeline), seconds=LONG
        )
        return Checkers(begun.pipeline.kind.thing, panels)


async def compare(path: Path, change: Change) -> Compared:
    """What the change would make of the votes on record. Changes nothing, asks nobody."""
    async with look_at_campaign(path) as begun:
        demand_votes(begun.pipeline)
        source = (await begun.database.read(campaigns.get)).source
        _, other = edit_file(begun.place.file, source, change)
        return await compare_terms(begun, other)


async def compare_terms(begun: Opened, other: Campaign) -> Compared:
    """A campaign beside the same one under other terms."""
    then = pipeline_of(other, begun.place)

    def operation(connection: Connection) -> Compared:
        what = whatif(connection, begun.pipeline, then)
        return Compared(what, lines(begun.campaign, other), earlier(connection), begun.pipeline.kind.thing)

    return await begun.database.read(operation, seconds=LONG)


def lines(old: Campaign, new: Campaign) -> tuple[str, ...]:
    """What differs between two campaigns, one line each."""
    return tuple(differences(old.recipe(), new.recipe()))


def earlier(connection: Connection) -> tuple[Earlier, ...]:
    """The changes made so far."""
    made = campaigns.changes(connection)
    return tuple(Earlier(one.at, one.who, one.why, tuple(differences(one.before, one.after))) for one in made)


async def apply(path: Path, change: Change, who: str, why: str) -> Compared:
    """Change the rule, in the file and in the database, and plan again what it touches.

    Raises `UsageError` where nothing would change, no votes stand under the rule, or nobody says why, and `Owned` while
    a run goes on.
    """
    demand(who, why)
    where = place(path)
    with own_campaign(where.database, utc_iso(time())):
        await finish_change(where)
        async with (
            open_campaign(path) as begun,
            own_database(begun.database, where.database, utc_iso(time())),
        ):
            demand_votes(begun.pipeline)
            text = await campaign_text(begun)
            new, other = edit_file(where.file, text, change)
            found = await compare_terms(begun, other)
            if not found.changes:
                message = f"{where.file} says so already: nothing to apply"
                raise UsageError(message)
            frozen, now = recipe(other, pipeline_of(other, where)), utc_iso(time())

            def operation(connection: Connection) -> Compared:
                campaigns.accept(connection, new, frozen, now, who=who, why=why)
                moved = replan_slots(connection, pipeline_of(other, where))
                reason = f"{who} has changed the rule: the same command continues"
                campaigns.end(connection, {"how": "paused", "reason": reason, "cause": "", "until": ""})
                return replace(found, earlier=earlier(connection), applied=True, moved=moved)

            with Replaced(where.file, new):
                return await begun.database.write(operation)


def demand(who: str, why: str) -> None:
    """Who changes a rule says so, and why."""
    if not is_name(who):
        message = "say who changes the rule: --by NAME, a name without / and #"
        raise UsageError(message)
    if not why.strip():
        message = 'say why the rule changes: --why "what speaks for it"; it stays on record'
        raise UsageError(message)


async def campaign_text(begun: Opened) -> str:
    """The campaign file's text; `ChangedCampaign` where it differs from the campaign that runs, so nothing is mixed."""
    file = begun.place.file
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        message = f"{file}: no such file: the rule is changed there too, so put it beside its database"
        raise NotFound(message) from error
    campaign = parse(file, text)
    record = await begun.database.read(campaigns.get)
    if other := differences(record.recipe, recipe(campaign, pipeline_of(campaign, begun.place))):
        message = (
            f"{file}, or what it rests on, has changed since its run began:\n{describe_changes(other)}\n"
            f"undo that, or take it first: benchwright run {file} --accept-changes"
        )
        raise ChangedCampaign(message)
    return text
