"""Taking the corpus in: each file ends as a document with a view, as records, or refused with a reason."""

import asyncio
import os
from asyncio import Task, create_task
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from textwrap import shorten

from benchwright.agents.room import masked_room, room
from benchwright.corpus.apart import Apart
from benchwright.corpus.assemble import document_id
from benchwright.corpus.images import read_image
from benchwright.corpus.language import refuse_other_languages, unknown_codes
from benchwright.corpus.read import SUFFIXES, find, read
from benchwright.corpus.records import RECORD_READERS, read_records
from benchwright.corpus.upright import NOT_TURNED, turn_upright
from benchwright.domain.call import tokens
from benchwright.domain.campaign import Campaign, Documents
from benchwright.domain.check import Check
from benchwright.domain.document import Document, View, fitting_view, read_out, repeated_sentences
from benchwright.domain.image import IMAGE_FIELD, image_of, image_value
from benchwright.domain.source import Inputs, Record
from benchwright.domain.text import plural
from benchwright.engine.alike import forget_alike, leave_out_alike
from benchwright.engine.alone import run_aside
from benchwright.errors import ConfigError, CorpusError, Unreadable
from benchwright.pipelines.base import Pipeline
from benchwright.store import blobs, documents, items, records
from benchwright.store.database import Connection, Database, Operation

REASONS = 20  # refused files and lines that an error names
WRITTEN = 64  # documents that wait for their commit at most
CHANGED = 5  # changed files that are named
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
    paths = await run_aside(partial(find, campaign.corpus, base, kinds(pipeline)))
    if campaign.documents.near_duplicates is not None and not await database.read(items.any_begun):
        await database.write(forget_alike)
    known = await database.read(names_read)
    named = {name_of(path, base): path for path in paths}
    new = {name: path for name, path in named.items() if name not in known}
    await tell_changed(database, named, say)
    if await database.read(items.any_begun):
        return await summary(database, tuple(new))
    await database.write(records.drop_unfinished)
    await take_files(database, campaign, pipeline, new, say)
    if campaign.documents.near_duplicates is not None:
        await leave_out_alike(database, campaign.documents.near_duplicates, say)
    taken = await summary(database, ())
    if not taken.admitted:
        reasons = [f"  {name}: {reason}" for name, reason in (await database.read(first_refusals)).items()]
        await database.write(forget)  # nothing has begun: once mended, they are read again
        raise CorpusError("\n".join(["no file of the corpus can be used:", *reasons]))
    return taken


async def tell_changed(database: Database, named: Mapping[str, Path], say: Callable[[str], None]) -> None:
    """Say which documents have changed on disk since they were read: the campaign keeps the text that it has."""
    admitted = [row for row in await database.read(documents.list_files) if row.id and row.name in named]
    changed = await run_aside(lambda: [row.name for row in admitted if has_changed(named[row.name], row.id)])
    if changed:
        more = f" and {len(changed) - CHANGED} more" if len(changed) > CHANGED else ""
        say(
            f"changed on disk since {'they were' if len(changed) > 1 else 'it was'} read: "
            f"{', '.join(changed[:CHANGED])}{more}; the campaign goes on with the text that it has"
        )


def has_changed(path: Path, name: str | None) -> bool:
    """Whether a file no longer is the document of this id; one that cannot be read is not known to."""
    try:
        return document_id(path.read_bytes()) != name
    except OSError:
        return False


def kinds(pipeline: Pipeline) -> frozenset[str]:
    """How the names of the files end that a pipeline takes."""
    suffixes = {Inputs.DOCUMENTS: SUFFIXES, Inputs.RECORDS: frozenset(RECORD_READERS)}
    return frozenset(suffix for inputs in pipeline.inputs for suffix in suffixes.get(inputs, ()))


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


def check_languages(campaign: Campaign) -> list[Check]:
    """Whether the languages that a campaign wants can be told; nothing where it takes all."""
    if not campaign.documents.languages:
        return []
    try:
        unknown = unknown_codes(campaign.documents.languages)
    except ConfigError as error:
        return [Check("languages", ok=False, message=str(error))]
    if unknown:
        message = f"{', '.join(unknown)} cannot be told: use codes such as en, fr, es, or leave them out"
        return [Check("languages", ok=False, message=message)]
    return [Check("languages", ok=True, message=f"documents in {', '.join(campaign.documents.languages)} are taken")]


def name_of(path: Path, base: Path) -> str:
    r"""A file's name in the campaign: its path from the campaign file on, with forward slashes.

    A name that is no UTF-8 has its other bytes written as `\xff`, for only text can be stored and shown.
    """
    name = path.relative_to(base).as_posix() if path.is_relative_to(base) else path.as_posix()
    return os.fsencode(name).decode("utf-8", "backslashreplace")


async def take_files(
    database: Database, campaign: Campaign, pipeline: Pipeline, new: Mapping[str, Path], say: Callable[[str], None]
) -> None:
    """Read files and record in their order what became of each; a few documents are read ahead, some share a commit."""
    records_too = Inputs.RECORDS in pipeline.inputs
    waiting = deque((name, path) for name, path in new.items())
    ahead: deque[tuple[str, Path, Task[Document] | None]] = deque()
    written: deque[Task[None]] = deque()
    with Apart() as apart:
        try:
            for number in range(1, len(new) + 1):
                while waiting and len(ahead) <= apart.processes:
                    name, path = waiting.popleft()
                    is_records = records_too and path.suffix.lower() in RECORD_READERS
                    reading = None if is_records else create_task(read_apart(campaign, pipeline, (name, path), apart))
                    ahead.append((name, path, reading))
                name, path, reading = ahead.popleft()
                if reading:
                    operation = await judge_document(name, reading, campaign, pipeline)
                    written.append(create_task(database.write(operation)))
                else:
                    await take(database, name, path, say, images=Inputs.IMAGES in pipeline.inputs)
                while len(written) > (WRITTEN if reading and ahead else 0):
                    await written.popleft()
                if number % 100 == 0:
                    say(f"read {number} of {len(new)} files")
        finally:
            left = [*(reading for _, _, reading in ahead if reading), *written]
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)


async def read_apart(campaign: Campaign, pipeline: Pipeline, file: tuple[str, Path], apart: Apart) -> Document:
    """The document in a file of that name, read in a thread; raises `Unreadable`."""
    return await run_aside(partial(read_document, pipeline, *file, campaign.documents, apart))


async def judge_document(name: str, reading: Task[Document], campaign: Campaign, pipeline: Pipeline) -> Operation[None]:
    """What is to be recorded of a file whose document is being read."""
    try:
        document = await reading
        view = view_of(document, campaign, pipeline)
    except Unreadable as error:
        return partial(refuse, name=name, reason=str(error).removeprefix(f"{name}: "))
    noted = replace(document, notes=(*document.notes, *notes_on_view(document, view)))
    return lambda connection: documents.admit(connection, noted, view)


async def take(database: Database, name: str, path: Path, say: Callable[[str], None], *, images: bool) -> None:
    """Record what became of a file of records."""
    try:
        await take_records(database, name, path, say, images=images)
    except Unreadable as error:
        reason = str(error).removeprefix(f"{name}: ")
        await database.write(partial(refuse, name=name, reason=reason))


def refuse(connection: Connection, name: str, reason: str) -> None:
    """Record why a file cannot be read, and keep none of its records."""
    records.drop_unfinished(connection)
    documents.refuse(connection, name, reason)


def read_document(
    pipeline: Pipeline, name: str, path: Path, keep: Documents | None = None, apart: Apart | None = None
) -> Document:
    """The document in a file; raises `Unreadable`, also where the pipeline or the campaign takes none like it."""
    if Inputs.DOCUMENTS not in pipeline.inputs:
        raise Unreadable(f"{name}: the pipeline {pipeline.name} takes {', '.join(sorted(kinds(pipeline)))} only")
    document = read(path, name, keep=keep, apart=apart)
    refuse_other_languages(document, keep.languages if keep else ())
    return document


async def take_records(database: Database, name: str, path: Path, say: Callable[[str], None], *, images: bool) -> None:
    """Take the records of a file in, so many in one transaction; a file that is left is read anew by the next run.

    With `images` each record's image is taken in too.
    """
    file = await database.write(lambda connection: records.begin_file(connection, name))
    lines, taken, lying = read_records(path, name), 0, 0
    while chunk := await asyncio.to_thread(lambda: list(islice(lines, TOGETHER))):
        found = [await with_image(database, path.parent, line) for line in chunk] if images else chunk
        await database.write(partial(records.take, file=file, lines=found))
        taken += len(chunk)
        lying += sum(NOT_TURNED in note for _, one in found if isinstance(one, Record) for note in one.notes)
        if taken % SAY_EVERY == 0:
            say(f"read {taken} records of {name}")
    await database.write(lambda connection: records.end_file(connection, file))
    if lying:
        say(f"{plural(lying, 'image')} of {name}: {NOT_TURNED}")


async def with_image(database: Database, folder: Path, line: records.Line) -> records.Line:
    """A line whose record names its image by hash, once that is stored; its reason where the image cannot be used."""
    number, found = line
    if isinstance(found, str) or not isinstance(named := found.fields.get(IMAGE_FIELD), str):
        return line
    if not named.strip():
        fields = {name: value for name, value in found.fields.items() if name != IMAGE_FIELD}
        return number, Record(found.name, fields, found.notes) if fields else "has no fields"
    try:
        data, why = await asyncio.to_thread(lambda: turn_upright(read_image(folder, named)))
        value = image_value(image_of(data))
    except Unreadable as error:
        return number, f"image {named!r}: {error}"
    await database.write(lambda connection: blobs.put(connection, data))
    notes = (*found.notes, f"image {named!r}: {why}") if why else found.notes
    return number, Record(found.name, {**found.fields, IMAGE_FIELD: value}, notes)


def view_of(document: Document, campaign: Campaign, pipeline: Pipeline) -> View:
    """What every role sees of a document; raises `Unreadable` where that is nothing, or not all and all is demanded."""
    wanted = pipeline.shows(document)
    if pipeline.splits:
        return wanted
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
