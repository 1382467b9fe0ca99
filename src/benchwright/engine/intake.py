"""Taking the corpus in: each file ends as a document with a view, as records, or refused with a reason."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from textwrap import shorten

from benchwright.agents.room import masked_room, room
from benchwright.corpus.read import READERS, find, read
from benchwright.corpus.records import RECORD_READERS, read_records
from benchwright.domain.call import tokens
from benchwright.domain.campaign import Campaign
from benchwright.domain.check import Check
from benchwright.domain.document import Document, View, fitting_view, read_out, repeated_sentences
from benchwright.domain.source import Inputs
from benchwright.errors import CorpusError, Unreadable
from benchwright.pipelines.base import Pipeline
from benchwright.store import documents, items, records
from benchwright.store.database import Connection, Database

REASONS = 20  # refused files and lines that an error names
TOGETHER = 1000  # records in one transaction
SAY_EVERY = 100_000  # records


@dataclass(frozen=True, slots=True)
class Intake:
    """What became of the corpus, in documents and records.

    `ignored` files appeared after the campaign had begun to make items.
    """

    admitted: int
    refused: int
    ignored: tuple[str, ...] = ()


async def take_in(
    database: Database, campaign: Campaign, pipeline: Pipeline, base: Path, say: Callable[[str], None]
) -> Intake:
    """Read what the campaign's corpus names and has not been read yet; raises `CorpusError` if nothing is usable."""
    paths = find(campaign.corpus, base, kinds(pipeline))
    known = await database.read(names_read)
    new = {name: path for path in paths if (name := name_of(path, base)) not in known}
    if await database.read(items.any_begun):
        return await summary(database, tuple(new))
    await database.write(records.drop_unfinished)
    for number, (name, path) in enumerate(new.items(), 1):
        await take(database, campaign, pipeline, name, path, say)
        if number % 100 == 0:
            say(f"read {number} of {len(new)} files")
    taken = await summary(database, ())
    if not taken.admitted:
        reasons = [f"  {name}: {reason}" for name, reason in (await database.read(first_refusals)).items()]
        await database.write(forget)  # nothing has begun: once mended, they are read again
        raise CorpusError("\n".join(["no file of the corpus can be used:", *reasons]))
    return taken


def kinds(pipeline: Pipeline) -> frozenset[str]:
    """How the names of the files end that a pipeline takes."""
    suffixes = {Inputs.DOCUMENTS: READERS, Inputs.RECORDS: RECORD_READERS}
    return frozenset(suffix for inputs in pipeline.inputs for suffix in suffixes[inputs])


def names_read(connection: Connection) -> set[str]:
    """The names of the files that were read to their ends, or refused."""
    return documents.names(connection) | records.ended_files(connection)


def first_refusals(connection: Connection) -> dict[str, str]:
    """The first files and lines that cannot be used, each with its reason."""
    files = documents.refused_files(connection, REASONS)
    return files | records.refused_lines(connection, REASONS - len(files))


def forget(connection: Connection) -> None:
    """Strike off the record what could not be used."""
    documents.forget(connection)
    records.forget(connection)


def check_corpus(patterns: Sequence[str], base: Path, pipeline: Pipeline) -> Check:
    """Whether the campaign names any file; only a run reads them and tells which it can use."""
    try:
        number = len(find(patterns, base, kinds(pipeline)))
        message = f"names {number} file{'s' * (number != 1)}, which a run reads"
        return Check("corpus", ok=True, message=message)
    except CorpusError as error:
        return Check("corpus", ok=False, message=str(error).removeprefix("corpus: "))


def name_of(path: Path, base: Path) -> str:
    """A file's name in the campaign: its path from the campaign file on, with forward slashes."""
    return path.relative_to(base).as_posix() if path.is_relative_to(base) else path.as_posix()


async def take(
    database: Database, campaign: Campaign, pipeline: Pipeline, name: str, path: Path, say: Callable[[str], None]
) -> None:
    """Read one file and record what became of it."""
    try:
        if Inputs.RECORDS in pipeline.inputs and path.suffix.lower() in RECORD_READERS:
            await take_records(database, name, path, say)
            return
        document = await asyncio.to_thread(read_document, pipeline, name, path)
        view = view_of(document, campaign, pipeline)
    except Unreadable as error:
        reason = str(error).removeprefix(f"{name}: ")
        await database.write(partial(refuse, name=name, reason=reason))
    else:
        noted = replace(document, notes=(*document.notes, *notes_on_view(document, view)))
        await database.write(lambda connection: documents.admit(connection, noted, view))


def refuse(connection: Connection, name: str, reason: str) -> None:
    """Record why a file cannot be read, and keep none of its records."""
    records.drop_unfinished(connection)
    documents.refuse(connection, name, reason)


def read_document(pipeline: Pipeline, name: str, path: Path) -> Document:
    """The document in a file; raises `Unreadable`, also where the pipeline takes none."""
    if Inputs.DOCUMENTS not in pipeline.inputs:
        raise Unreadable(f"{name}: the pipeline {pipeline.name} takes {', '.join(sorted(kinds(pipeline)))} only")
    return read(path, name)


async def take_records(database: Database, name: str, path: Path, say: Callable[[str], None]) -> None:
    """Take the records of a file in, so many in one transaction; a file that is left is read anew by the next run."""
    file = await database.write(lambda connection: records.begin_file(connection, name))
    lines, taken = read_records(path, name), 0
    while chunk := await asyncio.to_thread(lambda: list(islice(lines, TOGETHER))):
        await database.write(partial(records.take, file=file, lines=chunk))
        taken += len(chunk)
        if taken % SAY_EVERY == 0:
            say(f"read {taken} records of {name}")
    await database.write(lambda connection: records.end_file(connection, file))


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


def notes_on_view(document: Document, view: View) -> list[str]:
    """What people should know of a view: that part of what is masked is said in what is shown, too."""
    found = repeated_sentences(document, view)
    count = f"{len(found)} masked sentence{'s' if len(found) > 1 else ''}"
    first = shorten(found[0], 80, placeholder=" ...") if found else ""
    return [f"{count} shown all the same, word for word in another section: {first!r}"] if found else []


async def summary(database: Database, ignored: tuple[str, ...]) -> Intake:
    """The count of what was taken and what was not."""
    return await database.read(lambda connection: Intake(*taken_and_refused(connection), ignored))


def taken_and_refused(connection: Connection) -> tuple[int, int]:
    """How many documents and records were taken in, and how many files and lines were refused."""
    refused = documents.count_refused(connection) + records.count_refused(connection)
    return documents.count(connection) + records.count(connection), refused
