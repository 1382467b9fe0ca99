"""Taking the corpus in: each file ends as a document with a view, or refused with a reason."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.agents.room import masked_room, room
from benchwright.corpus.read import find, read
from benchwright.domain.call import tokens
from benchwright.domain.campaign import Campaign
from benchwright.domain.document import Document, View, fitting_view, read_out
from benchwright.errors import CorpusError, Unreadable
from benchwright.llm.catalogue import Check
from benchwright.pipelines.base import Pipeline
from benchwright.store import documents, items
from benchwright.store.database import Connection, Database


@dataclass(frozen=True, slots=True)
class Intake:
    """What became of the corpus: `ignored` files appeared after the campaign had begun to make items."""

    admitted: int
    refused: int
    ignored: tuple[str, ...] = ()


async def take_in(
    database: Database, campaign: Campaign, pipeline: Pipeline, base: Path, say: Callable[[str], None]
) -> Intake:
    """Read what the campaign's corpus names and has not been read yet; raises `CorpusError` if nothing is usable."""
    paths = find(campaign.corpus, base)
    known = {row.name: row for row in await database.read(documents.listed)}
    names = {name_of(path, base): path for path in paths}
    new = {name: path for name, path in names.items() if name not in known}
    if await database.read(begun):
        return await summary(database, tuple(new))
    for number, (name, path) in enumerate(new.items(), 1):
        await take(database, campaign, pipeline, name, path)
        if number % 100 == 0:
            say(f"read {number} of {len(new)} files")
    taken = await summary(database, ())
    if not taken.admitted:
        reasons = [f"  {row.name}: {row.reason}" for row in await database.read(documents.listed)]
        await database.write(documents.forget)  # nothing has begun: once mended, they are read again
        raise CorpusError("\n".join(["no file of the corpus can be used:", *reasons[:20]]))
    return taken


def named(patterns: Sequence[str], base: Path) -> Check:
    """Whether the campaign names any file; only a run reads them and tells which it can use."""
    try:
        return Check("corpus", ok=True, message=f"names {len(find(patterns, base))} files, which a run reads")
    except CorpusError as error:
        return Check("corpus", ok=False, message=str(error).removeprefix("corpus: "))


def name_of(path: Path, base: Path) -> str:
    """A file's name in the campaign: its path from the campaign file on, with forward slashes."""
    return path.relative_to(base).as_posix() if path.is_relative_to(base) else path.as_posix()


def begun(connection: Connection) -> bool:
    """Whether the campaign has begun to make items: from then on its corpus is fixed."""
    return bool(items.seqs(connection, unfinished=False))


async def take(database: Database, campaign: Campaign, pipeline: Pipeline, name: str, path: Path) -> None:
    """Read one file and record what became of it."""
    try:
        document = await asyncio.to_thread(read, path, name)
        view = view_of(document, campaign, pipeline)
    except Unreadable as error:
        reason = str(error).removeprefix(f"{name}: ")
        await database.write(lambda connection: documents.refuse(connection, name, reason))
    else:
        await database.write(lambda connection: documents.admit(connection, document, view))


def view_of(document: Document, campaign: Campaign, pipeline: Pipeline) -> View:
    """What every role sees of a document; raises `Unreadable` where that is nothing, or not all and all is demanded."""
    wanted = pipeline.shows(document)
    holds = room(campaign, pipeline.agents)
    most = holds - masked_room(holds) if wanted.masked else holds
    length = tokens(read_out(document, wanted).text)
    if length > most and campaign.long_documents == "refuse":
        advice = "raise it, or set long_documents = 'view'"
        message = f"about {length} tokens, {most} fit the smallest context or tpm: {advice}"
        raise Unreadable(message)
    view = fitting_view(document, wanted, most, tokens, campaign.seed)
    if view is None:
        message = f"no section fits the {most} tokens that the smallest context or tpm leaves: give its model more"
        raise Unreadable(message)
    return view


async def summary(database: Database, ignored: tuple[str, ...]) -> Intake:
    """The count of what was taken and what was not."""
    rows = await database.read(documents.listed)
    admitted = sum(row.id is not None for row in rows)
    return Intake(admitted, len(rows) - admitted, ignored)
