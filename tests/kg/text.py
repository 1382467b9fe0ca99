"""Documents made of plain sentences."""

from collections.abc import Sequence

from benchwright.domain.document import Document, Section, Span


def document(sentences: Sequence[str], between: str = " ") -> Document:
    """The sentences in one section, with `between` after each."""
    text, spans = "", []
    for sentence in sentences:
        spans.append(Span(len(text), len(text) + len(sentence)))
        text += sentence + between
    return Document("d", "d.txt", "", text, (Section("", "body", tuple(spans)),))
