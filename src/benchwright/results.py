"""What a campaign has made: its items listed, explained and exported. Nothing here asks a model or changes anything."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchwright.app import LONG
from benchwright.begun import Opened, look_at_campaign
from benchwright.config import differences
from benchwright.domain.item import ItemState
from benchwright.engine.again import AskAgain
from benchwright.engine.checkers import measure_checkers
from benchwright.engine.failed_calls import FailedCall, list_failed_calls
from benchwright.engine.history import History, history
from benchwright.engine.plans import planner
from benchwright.engine.seen import read_item
from benchwright.errors import UsageError
from benchwright.export.folder import write
from benchwright.export.judged import Change, Judged, People, decided_share
from benchwright.export.stored import StoredSet, describe_making
from benchwright.pipelines.kind import Part
from benchwright.review.cases import Desk
from benchwright.review.progress import progress
from benchwright.store import calls, campaigns, counts, items, sources
from benchwright.store.backup import copy_whole
from benchwright.store.database import Connection
from benchwright.store.digests import demand_unchanged
from benchwright.store.files import log_of, size_of

MEASURED_MOST = 2_000  # items by which an export measures the checkers: all their words are in memory together


@dataclass(frozen=True, slots=True)
class Explained:
    """An item's history, and the story that its kind tells; `body` is the item as it stands.

    `line` is its place among kept items, None where it has none, and `place` says what the set's reader finds there.
    """

    history: History
    parts: tuple[Part, ...]
    body: Mapping[str, Any] | None
    line: int | None
    place: str = ""

    def json(self) -> dict[str, Any]:
        """The explanation as JSON values."""
        return self.history.json() | {"stands": self.body, "line": self.line}


async def explain(path: Path, item: str) -> Explained:
    """The whole history of the item whose id begins so."""
    async with look_at_campaign(path) as begun:

        def operation(connection: Connection) -> Explained:
            found, kind = history(connection, item), begun.pipeline.kind
            whole = read_item(connection, begun.pipeline, found.item)
            kept = enumerate(items.pages(connection, ItemState.KEPT), 1)
            line = next((number for number, row in kept if row.id == found.item.id), None)
            body = kind.write(whole.body) if whole.body else None
            return Explained(found, tuple(kind.story(whole)), body, line, kind.place(whole.body, line) if line else "")

        return await begun.database.read(operation)


@dataclass(frozen=True, slots=True)
class Listed:
    """An item in a list; `title` says in a line what it is, empty until there is something to say."""

    id: str
    state: str
    cause: str
    document: str
    title: str


async def list_items(path: Path, state: str = "") -> list[Listed]:
    """The items in the order of the set, all or those of one state."""
    async with look_at_campaign(path) as begun:

        def operation(connection: Connection) -> list[Listed]:
            return [
                Listed(
                    row.id,
                    row.state,
                    row.cause,
                    sources.name_of(connection, row.seed.about),
                    title(connection, begun, row),
                )
                for row in items.pages(connection, state)
            ]

        return await begun.database.read(operation, seconds=LONG)


def title(connection: Connection, begun: Opened, row: items.Row) -> str:
    """What an item is, in a line."""
    body = read_item(connection, begun.pipeline, row).body
    return begun.pipeline.kind.title(body) if body else ""


async def list_failed(path: Path, wanted: AskAgain) -> list[FailedCall]:
    """The calls of a campaign that failed, of a cause and of a model or all."""
    async with look_at_campaign(path) as begun:
        return await begun.database.read(partial(list_failed_calls, wanted=wanted), seconds=LONG)


@dataclass(frozen=True, slots=True)
class RoleCalls:
    """What one model was asked in one role, and how many of its failed answers count, by cause."""

    spent: calls.Spent
    failed: Mapping[str, int]

    def json(self) -> dict[str, Any]:
        """As JSON values."""
        return self.spent.json() | {"failed": dict(self.failed)}


async def count_calls(path: Path) -> list[RoleCalls]:
    """The calls of a campaign by role and model."""
    async with look_at_campaign(path) as begun:

        def operation(connection: Connection) -> list[RoleCalls]:
            failed = list_failed_calls(connection, AskAgain())
            of = {(one.role, one.model): Counter[str]() for one in failed}
            for one in failed:
                of[one.role, one.model][one.cause] += 1
            spent = {(one.step, one.model): one for one in calls.spending_by_model(connection)}
            unpaid = {place: calls.Spent(place[1], place[0], 0, 0, 0, 0, 0, 0.0, 0, 0.0) for place in of}
            return [RoleCalls(one, of.get(place, {})) for place, one in sorted((unpaid | spent).items())]

        return await begun.database.read(operation, seconds=LONG)


@dataclass(frozen=True, slots=True)
class Exported:
    """The files of a set, how many kept items are in it, and what says how the campaign stands."""

    files: tuple[Path, ...]
    items: int
    status: str

    def json(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {"files": [str(file) for file in self.files], "items": self.items}


async def export(path: Path, folder: Path | None = None, form: str = "", *, names: bool = False) -> Exported:
    """Write the set in a form of its kind, by default the first.

    People stand in it under pseudonyms, or with `names` under their own.
    """
    async with look_at_campaign(path) as begun:
        pipeline, formats = begun.pipeline, begun.pipeline.kind.formats
        if form and form not in formats:
            message = f"{pipeline.kind.name} items are not exported as {form!r}: choose {' or '.join(formats)}"
            raise UsageError(message)

        def operation(connection: Connection) -> Exported:
            demand_unchanged(connection)
            found = StoredSet(connection, begun.campaign, pipeline, names)
            how = describe_making(connection, found, begun.place.file.name, judge(connection, found))
            chosen = formats[form or next(iter(formats))]
            report = pipeline.kind.report(begun.campaign, begun.place.vectors)
            files = write(folder or begun.place.folder, found, chosen, report, how)
            kept = sum(states.get("kept", 0) for states in counts.of(connection, "item").values())
            return Exported(tuple(files), kept, f"benchwright status {path}")

        return await begun.database.read(operation, seconds=LONG)


@dataclass(frozen=True, slots=True)
class Copied:
    """A backup: the file, and how large it is in bytes."""

    file: Path
    size: int

    def json(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {"backup": str(self.file), "bytes": self.size}


async def back_up(path: Path, target: Path) -> Copied:
    """Copy a campaign's whole database, as it is now, into one new file; a run may go on meanwhile."""
    async with look_at_campaign(path) as begun:
        file = new_file(target, begun.place.database.name)
        try:
            await begun.database.read(partial(copy_whole, target=file), seconds=LONG)
        except OSError as error:
            message = f"{file} cannot be written: {error.strerror}"
            raise UsageError(message) from error
        return Copied(file, size_of(file))


def new_file(target: Path, name: str) -> Path:
    """The file of a backup, in a folder under `name`.

    Raises `UsageError` where it would overwrite something, or lie beside the log of another database.
    """
    file = target / name if target.is_dir() else target
    for other in (file, log_of(file)):
        if other.exists():
            message = f"{other} is there already: choose another name, or move it away"
            raise UsageError(message)
    if not file.parent.is_dir():
        message = f"{file.parent} does not exist: create the folder first"
        raise UsageError(message)
    return file


def judge(connection: Connection, found: StoredSet) -> Judged:
    """How far the judgements that a set rests on can be trusted."""
    pipeline, hidden = found.pipeline, found.people
    said = progress(connection, Desk(pipeline, found.campaign.review, planner(pipeline)))
    kept = (pipeline.kind.read(row.body) for row in items.pages(connection, ItemState.KEPT))
    changes = (
        Change(hidden.of(one.who), one.why, tuple(differences(hidden.recipe(one.before), hidden.recipe(one.after))))
        for one in campaigns.changes(connection)
    )
    return Judged(
        thing=pipeline.kind.thing,
        panels=measure_checkers(connection, pipeline, MEASURED_MOST),
        measured=min(MEASURED_MOST, sum(sum(of.values()) for of in counts.of(connection, "item").values())),
        people=People(len(said.reviewers), said.decided, said.pairs, said.alike, said.changed, said.alpha),
        by_people=decided_share(one.decided for body in kept for one in pipeline.kind.routes(body)),
        changes=tuple(changes),
    )
