"""A source text, its named sections, its numbered sentences, and the views that fit a model's context."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from benchwright.domain.ids import seeded_shuffle
from benchwright.domain.text import plain

TELLING = 6  # words of a sentence that says something
TITLE = -1  # among the masked sections of a view: the document's title


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` (included) to `end` (excluded) of a document's text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Section:
    """A named part of a document; `kind` is `abstract`, `summary` or `body`."""

    title: str
    kind: str
    sentences: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A text as it was read, once and for all: sections and sentences are offsets into `text`.

    `id` is made of the file's bytes, `name` is its path in the corpus, `notes` say what the reader had to mend.
    """

    id: str
    name: str
    title: str
    text: str
    sections: tuple[Section, ...]
    doi: str = ""
    licence: str = ""
    language: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """Which sections of a document every role, and the reader of the item, gets to see (indices, ascending).

    `masked` ones are seen by nobody but the writers whose question quotes them; `TITLE` there hides the title.
    """

    document: str
    sections: tuple[int, ...]
    masked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence under the number by which agents cite it."""

    number: int
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A view read out: its sentences numbered from 1, and the text that is shown to models and people.

    `masked` are the sentences of its masked sections, numbered from 1 of their own; `text` holds none of them.
    """

    view: View
    title: str
    sentences: tuple[Sentence, ...]
    text: str
    masked: tuple[Sentence, ...] = ()


def whole(document: Document) -> View:
    """The view of all sections."""
    return View(document.id, tuple(range(len(document.sections))))


def read_out(document: Document, view: View) -> Reading:
    """Number the view's sentences and lay them out under their section titles."""
    title = "" if TITLE in view.masked else document.title
    lines = [title] if title else []
    sentences: list[Sentence] = []
    for index in view.sections:
        section = document.sections[index]
        lines.append(f"\n## {section.title}" if section.title else "")
        for span in section.sentences:
            sentences.append(Sentence(len(sentences) + 1, span, span_text(document, span)))
            lines.append(f"[{len(sentences)}] {sentences[-1].text}")
    hidden = [span for index in view.masked if index != TITLE for span in document.sections[index].sentences]
    masked = tuple(Sentence(n, span, span_text(document, span)) for n, span in enumerate(hidden, 1))
    return Reading(view, title, tuple(sentences), "\n".join(lines).strip(), masked)


@dataclass(frozen=True, slots=True)
class Part:
    """A section as it is read out: its title ("" for none) and the numbers of its sentences."""

    title: str
    numbers: tuple[int, ...]


def parts_of(reading: Reading) -> tuple[Part, ...]:
    """The sections of a reading, in order, those without sentences too; told from its text, where each has a line."""
    parts: list[tuple[str, list[int]]] = []
    numbers = iter(one.number for one in reading.sentences)
    for line in reading.text.splitlines():
        if not line or (line.startswith("## ") and not parts):
            parts.append(("", []))
        if line.startswith("## "):
            parts[-1] = (line.removeprefix("## "), [])
        elif line.startswith("[") and (number := next(numbers, None)):
            if not parts:
                parts.append(("", []))
            parts[-1][1].append(number)
    return tuple(Part(title, tuple(found)) for title, found in parts)


def repeated_sentences(document: Document, view: View) -> tuple[str, ...]:
    """The sentences of masked sections that stand word for word in what is shown, in their order.

    Short ones say too little to give anything away.
    """
    if not view.masked:
        return ()
    reading = read_out(document, view)
    shown = {plain(sentence.text) for sentence in reading.sentences}
    hidden = {plain(sentence.text): sentence.text for sentence in reading.masked}
    return tuple(text for words, text in hidden.items() if words in shown and len(words.split()) >= TELLING)


def span_text(document: Document, span: Span) -> str:
    """The words of a span on one line."""
    return " ".join(document.text[span.start : span.end].split())


def fitting_view(
    document: Document, view: View, room: int, measure: Callable[[str], int], *seed: object
) -> View | None:
    """Whole sections of a view, chosen in a seeded order, whose reading measures at most `room`; None if none fits."""
    if measure(read_out(document, view).text) <= room:
        return view
    chosen: tuple[int, ...] = ()
    for index in seeded_shuffle(view.sections, *seed, document.id):
        wider = tuple(sorted((*chosen, index)))
        if measure(read_out(document, replace(view, sections=wider)).text) <= room:
            chosen = wider
    return replace(view, sections=chosen) if chosen else None
