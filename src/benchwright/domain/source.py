"""What an item is about: a document view, a passage, a record, another item, several of these, or nothing.

An item holds references only: a document, a record or an item is named by its id, and the store has its text.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Protocol

from benchwright.domain.document import Document, Reading, View
from benchwright.domain.ids import canonical, content_id
from benchwright.domain.image import find_image


class Inputs(StrEnum):
    """What a pipeline takes from the corpus of a campaign."""

    DOCUMENTS = "documents"
    RECORDS = "records"
    IMAGES = "images"  # of records: a field `image` that names a file


@dataclass(frozen=True, slots=True)
class Passage:
    """A run of sentences of a view: those with the numbers `first` to `last`, both included."""

    view: View
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class RecordRef:
    """A record of the corpus, by its id."""

    record: str


@dataclass(frozen=True, slots=True)
class ItemRef:
    """Another item of the campaign, by its id; what is seen of it is the body with which it was kept."""

    item: str


Ref = View | Passage | RecordRef | ItemRef
About = Ref | tuple[Ref, ...]

# What is shown of an item's sources: sentences read out, of a document or a passage; the fields of a record or of
# another item; several of these.
Content = Reading | Mapping[str, Any] | tuple["Content", ...]


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a JSONL or CSV file. `name` is `FILE:LINE`, `fields` are its values (JSON) under their names.

    The same fields are the same record, wherever they stand. `notes` say what the reader had to mend.
    """

    name: str
    fields: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    id: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", content_id("record", self.fields))


@dataclass(frozen=True, slots=True)
class Outline:
    """What a pipeline knows of a source when it plans items.

    `titles` are those of the sections of a document's view; `body` are the fields of a record, or of a kept item.
    """

    about: Ref
    titles: tuple[str, ...] = ()
    body: Mapping[str, Any] | None = None

    @property
    def view(self) -> View:
        """The view, of a document; raises `ValueError` for other sources."""
        return view_of(self.about)


class Sources(Protocol):
    """The sources that items are made of, by their places from 0 on; each is read when it is asked for."""

    def __len__(self) -> int:
        """How many there are."""
        ...

    def __getitem__(self, place: int, /) -> Outline:
        """The one at a place; raises `IndexError` past the end."""
        ...

    def __iter__(self) -> Iterator[Outline]:
        """One after the other."""
        ...


def view_of(about: About) -> View:
    """The one view of what an item is about; raises `ValueError` where it has none."""
    match about:
        case View():
            return about
        case Passage():
            return about.view
    message = "the item is about no document of its own"
    raise ValueError(message)


def each_source(about: About) -> tuple[Ref, ...]:
    """All sources of an item, none for one about nothing."""
    return about if isinstance(about, tuple) else (about,)


def outline(document: Document, view: View) -> Outline:
    """The outline of a view; a section without a title gets a number."""
    titles = tuple(document.sections[n].title or f"part {k}" for k, n in enumerate(view.sections, 1))
    return Outline(view, titles)


def passage_reading(reading: Reading, passage: Passage) -> Reading:
    """The part of a view's reading that is the passage; its sentences keep their numbers."""
    chosen = tuple(one for one in reading.sentences if passage.first <= one.number <= passage.last)
    lines = [reading.title, *(f"[{one.number}] {one.text}" for one in chosen)]
    return replace(reading, sentences=chosen, text="\n".join(filter(None, lines)), masked=())


def as_reading(content: Content) -> Reading:
    """Content as one reading: of several sources the texts one below the other, of fields a line each."""
    if isinstance(content, Reading):
        return content
    if isinstance(content, tuple):
        text = "\n\n".join(as_reading(part).text for part in content)
    else:
        text = "\n".join(f"{name}: {value_text(value)}" for name, value in content.items())
    return Reading(View("", ()), "", (), text)


def value_text(value: object) -> str:
    """A value of a record as text: text as it is, an image by its label, anything else as JSON."""
    image = find_image(value)
    return image.label if image else value if isinstance(value, str) else canonical(value)


def about_json(about: About) -> dict[str, Any]:
    """What an item is about, as the part of its seed that tells it.

    One view stands under `view` as it always did, and does not mention masks where there are none; all else stands
    under `about`, each source under its kind.
    """
    if isinstance(about, View):
        return {"view": view_json(about)}
    if isinstance(about, tuple):
        return {"about": [source_json(source) for source in about]}
    return {"about": source_json(about)}


def view_json(view: View) -> dict[str, Any]:
    """A view as JSON values."""
    value = asdict(view)
    if not view.masked:
        del value["masked"]
    return value


def source_json(source: Ref) -> dict[str, Any]:
    """One source as JSON values, under the name of its kind."""
    match source:
        case View():
            return {"view": view_json(source)}
        case Passage():
            return {"passage": {"view": view_json(source.view), "first": source.first, "last": source.last}}
        case RecordRef():
            return {"record": source.record}
    return {"item": source.item}


def about_from_json(seed: Mapping[str, Any]) -> About:
    """What an item is about, from its seed as JSON values."""
    if "view" in seed:
        return view_from_json(seed["view"])
    value = seed["about"]
    return tuple(map(source_from_json, value)) if isinstance(value, list) else source_from_json(value)


def view_from_json(value: Mapping[str, Any]) -> View:
    """A view from JSON values."""
    return View(value["document"], tuple(value["sections"]), tuple(value.get("masked", ())))


def source_from_json(value: Mapping[str, Any]) -> Ref:
    """One source from JSON values."""
    [(kind, inner)] = value.items()
    match kind:
        case "view":
            return view_from_json(inner)
        case "passage":
            return Passage(view_from_json(inner["view"]), inner["first"], inner["last"])
        case "record":
            return RecordRef(inner)
    return ItemRef(inner)
