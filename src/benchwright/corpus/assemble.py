"""The last step of every reader: named parts become one stored text with sections and sentences over it."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import normalize

from benchwright.corpus.sentences import split
from benchwright.domain.document import Document, Section
from benchwright.domain.ids import content_id


@dataclass(frozen=True, slots=True)
class Part:
    """A section as a reader found it: `kind` is `abstract`, `summary` or `body`; a block is a paragraph."""

    title: str
    kind: str
    blocks: tuple[str, ...]


def document_id(data: bytes) -> str:
    """The same bytes have the same id, whatever the file is called."""
    return content_id("document", hashlib.sha256(data).hexdigest())


def assemble(data: bytes, name: str, title: str, parts: Iterable[Part], notes: tuple[str, ...] = ()) -> Document:
    """Lay the blocks out, apart by blank lines, in Unicode's composed form (NFC); titles stay outside the text."""
    texts: list[str] = []
    sections: list[Section] = []
    start = 0
    for part in parts:
        text = normalize("NFC", "\n\n".join(part.blocks))
        spans = split(text, 0, len(text))
        if spans:
            moved = tuple(type(span)(span.start + start, span.end + start) for span in spans)
            sections.append(Section(normalize("NFC", part.title), part.kind, moved))
            texts.append(text)
            start += len(text) + 2
    return Document(document_id(data), name, normalize("NFC", title), "\n\n".join(texts), tuple(sections), notes=notes)
