"""A campaign's folder with a small graph and a glossary, and a store in memory that holds one document about it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tests.kg.text import document

from benchwright.domain.document import View, whole
from benchwright.domain.item import Seed
from benchwright.engine.services import services
from benchwright.engine.worker import Service
from benchwright.store import documents
from benchwright.store.database import Database

ROWS = """subject,relation,object,subject_kind,object_kind,source,details
quelm fever,presents,joint pain,disease,symptom,Ills,
quelm fever,presents,rash,disease,symptom,Ills,
quelmicin,treats,quelm fever,drug,disease,Drugs 7,
quelm fever,had an outbreak in,Fiji,disease,country,WHO DON1,2004
marsh fever,resembles,quelm fever,disease,disease,Ills,
"""
GLOSSARY = "term,description,synonyms\nquelm fever,A fever of the tropics.,break-knee;QF\n"
KNOWLEDGE = {"graphs": [{"form": "triples", "path": "ills.csv", "label": "Ills"}], "vocabularies": []}
TEXT = ("Quelm fever was seen in Suva.", "Quelm fever came back to Fiji with joint pains.")
SEED = Seed(0, 0, View("d", (0,)))


def furnish(folder: Path) -> None:
    """Write the files that settings name."""
    (folder / "ills.csv").write_text(ROWS, "utf-8")
    (folder / "terms.csv").write_text(GLOSSARY, "utf-8")


@asynccontextmanager
async def begun(folder: Path, settings: Mapping[str, Any]) -> AsyncIterator[tuple[Mapping[str, Service], list[str]]]:
    """The services of a campaign in that folder, and what they have said."""
    said: list[str] = []
    async with await Database.open(None, create=True) as database:
        told = document(TEXT)
        await database.write(partial(documents.admit, document=told, view=whole(told)))
        async with services(settings, folder, folder / "c-graphs", database, said.append) as found:
            yield found, said
