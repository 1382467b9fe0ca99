"""A kind of item as a type: all that the outer rooms may know of its items.

A kind says how a body is read and written, what a list and `explain` show of it, what a report counts, and in which
forms a set is exported. Everything is pure; the outer rooms bring what they have read from the store.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.item import ItemState, Seed
from benchwright.domain.quality import Probe, Word
from benchwright.domain.source import Content, Ref
from benchwright.domain.vote import Routed


@dataclass(frozen=True, slots=True)
class Seen:
    """An item as the outer rooms hand it to its kind.

    `body` is the kind's own type, None before there is anything to show; `read_answers` brings all that was said.
    """

    id: str
    seed: Seed
    state: ItemState
    cause: str
    detail: str
    body: Any | None
    read_answers: Callable[[], Sequence[Answer]]


@dataclass(frozen=True, slots=True)
class Source:
    """What an item is made of, as a set tells it; `text` is what the reader of the item sees. Empty is unknown.

    `sort` says what it is: a document, a record or another item. `stored` is the whole text of a document, into which
    the offsets of evidence lead.
    """

    id: str
    name: str
    title: str
    doi: str
    licence: str
    language: str
    text: str
    sort: str = "document"
    stored: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept item with what it is made of."""

    item: Seen
    sources: tuple[Source, ...]


# ------------------------------------------------------------------------------------------------------ stories


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a story; a `strong` one matters most."""

    text: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a story or a card."""

    head: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A heading and what stands under it; without a title the lines stand by themselves."""

    title: str
    content: tuple[Line | Table, ...]


# ------------------------------------------------------------------------------------------------------ reports


@dataclass(frozen=True, slots=True)
class SetCard:
    """What the card of a set says that only its kind knows.

    `noun` names the items ("Multiple-choice items"), `files` adds in Markdown to what the format says about its files
    what holds of these items alone, `counts` are rows of the table of counts, `parts` follow it, `method` says in a
    sentence how the items were decided on.
    """

    noun: str
    files: str
    counts: tuple[tuple[str, int], ...]
    parts: tuple[Part, ...]
    method: str


class Report(Protocol):
    """Counts over the items of a campaign, taken in one by one."""

    def take(self, item: Seen) -> None:
        """Count one item, in whatever state it is."""
        ...

    def summary(self) -> Mapping[str, Any]:
        """What a run has come to, under names, as JSON values."""
        ...

    def lines(self) -> Sequence[str]:
        """The same in sentences."""
        ...

    def counts(self) -> Mapping[str, Any]:
        """What a set of kept items holds, under names, as JSON values: for its manifest."""
        ...

    def card(self) -> SetCard:
        """The same for its card."""
        ...


# ------------------------------------------------------------------------------------------------------ exports


class Finished(Protocol):
    """A campaign's set, to be read as often as a format needs to; items come in the order of the set."""

    @property
    def campaign(self) -> Campaign:
        """The campaign."""
        ...

    def items(self, phase: str = "") -> Iterator[Kept]:
        """The kept items of all phases, or of one."""
        ...

    def content(self, ref: Ref) -> Content:
        """What is seen of a source."""
        ...


# The type of a column: "string", "int64", "float64" or "bool"; [type] for a list; {name: type} for named parts.
ColumnType = str | list[Any] | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Subset:
    """A table of a set that libraries of data sets load by its name.

    `files` are its files by split ("test"), `columns` the types of its columns, in their order. Types never depend on
    content: every row has every column, and what an item has not is an empty value of that type. Without `columns` a
    library infers the types.
    """

    name: str
    files: Mapping[str, str]
    columns: Mapping[str, ColumnType] = field(default_factory=dict)


class Format(Protocol):
    """A form of export."""

    @property
    def about(self) -> str:
        """What its files hold, in Markdown, for the card of the set."""
        ...

    @property
    def subsets(self) -> Sequence[Subset]:
        """The tables among its files, the one to test models with first; none where no library can load them."""
        ...

    def files(self, found: Finished) -> Mapping[str, Iterable[str]]:
        """The files by their names, each in lines (with their line ends) that are made as they are written."""
        ...


class Kind(Protocol):
    """A kind of item."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def thing(self) -> str:
        """What its panel votes on, in a word whose plural ends in s: "pair"."""
        ...

    @property
    def formats(self) -> Mapping[str, Format]:
        """Its forms of export by name; the first is the default."""
        ...

    def read(self, values: Any) -> Any:
        """A body from its JSON values; raises `ValueError`."""
        ...

    def write(self, body: Any) -> dict[str, Any]:
        """A body as JSON values."""
        ...

    def title(self, body: Any) -> str:
        """An item in one line, for lists."""
        ...

    def story(self, item: Seen) -> Sequence[Part]:
        """All that there is to know of an item, for `explain`."""
        ...

    def place(self, body: Any, number: int) -> str:
        """Where the item stands in the default form of export, counted from 1, and what a reader sees there."""
        ...

    def report(self, campaign: Campaign, kept: Path | None = None) -> Report:
        """Empty counts. `kept` is a folder beside the campaign file for what takes long to compute a second time."""
        ...

    def words(self, body: Any) -> Iterable[Word]:
        """What panels said of the things of an item, by names that the item gives them: votes, grades or categories."""
        ...

    def probes(self, answers: Sequence[Answer]) -> Iterable[Probe]:
        """What panels said of planted things, which are known to be right or wrong."""
        ...

    def routes(self, body: Any) -> Iterable[Routed]:
        """Where each thing goes that stands under the campaign's rule; none where no yes/no votes do."""
        ...
