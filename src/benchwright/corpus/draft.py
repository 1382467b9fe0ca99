"""What a reader of a foreign format makes of a file, before its sentences are numbered."""

import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from benchwright.corpus.assemble import Part, assemble
from benchwright.domain.document import Document
from benchwright.errors import Unreadable


@dataclass(frozen=True, slots=True)
class Draft:
    """Title and parts of a document, with what its reader had to leave out or mend."""

    title: str
    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()
    language: str = ""
    licence: str = ""

    def to_json(self) -> str:
        """As one line of text."""
        return json.dumps(asdict(self))


def draft_from_json(value: dict[str, Any]) -> Draft:
    """The draft from JSON values."""
    parts = tuple(Part(part["title"], part["kind"], tuple(part["blocks"])) for part in value["parts"])
    return Draft(value["title"], parts, tuple(value["notes"]), value["language"], value["licence"])


def finish(data: bytes, name: str, draft: Draft) -> Document:
    """The document; raises `Unreadable` where there is nothing to read in it."""
    document = assemble(data, name, draft.title, draft.parts, draft.notes)
    if not document.sections:
        raise Unreadable(f"{name}: holds no running text; add some or take it out of the corpus", state="no text")
    return replace(document, language=draft.language, licence=draft.licence)
