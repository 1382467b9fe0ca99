"""What a run would make of the corpus, for `doctor`: each file read, and admitted or refused with its reason."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from benchwright.domain.campaign import Campaign
from benchwright.domain.check import Check
from benchwright.engine.intake import Intake, take_in
from benchwright.engine.status import list_refusals
from benchwright.errors import CorpusError
from benchwright.pipelines.base import Pipeline
from benchwright.store import documents
from benchwright.store.database import Connection, Database

TOLD = 20  # refused files, and files with notes, that are told


async def foresee_corpus(campaign: Campaign, pipeline: Pipeline, base: Path, say: Callable[[str], None]) -> Check:
    """Read the corpus as a run would, and tell what becomes of it; the check fails where nothing can be used."""
    async with await Database.open(None, create=True) as database:
        try:
            taken = await take_in(database, campaign, pipeline, base, say)
        except CorpusError as error:
            return Check("corpus", ok=False, message=str(error).removeprefix("corpus: "))

        def operation(connection: Connection) -> Check:
            refused, noted = list_refusals(connection), documents.noted_files(connection, TOLD)
            return Check("corpus", ok=True, message="\n".join(describe(taken, refused, noted)))

        return await database.read(operation)


def describe(taken: Intake, refused: Mapping[str, str], noted: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """How much can be used, then what cannot and why, then what readers had to say of the rest."""
    yield f"{taken.admitted} can be used, {taken.refused} refused"
    named = list(refused.items())[:TOLD]
    yield from (f"refused {name}: {reason}" for name, reason in named)
    if taken.refused > len(named):
        yield f"and {taken.refused - len(named)} more refused"
    yield from (f"note on {name}: {'; '.join(notes)}" for name, notes in noted.items())
