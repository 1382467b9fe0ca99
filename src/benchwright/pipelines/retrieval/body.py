"""What an item is, phase by phase: passages, a document, a query, its candidates, a pair."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from pydantic import TypeAdapter

RELEVANT, SUMMARY, PASSAGE, PLANTED = "relevant", "summary", "passage", "planted"  # what a text is


@dataclass(frozen=True, slots=True)
class Passages:
    """The passages of a document by their first and last sentences, with about as many tokens as `tokens` says.

    `view` is what is seen of the document, as JSON values.
    """

    view: Mapping[str, Any]
    name: str
    title: str
    language: str
    passages: tuple[tuple[int, int], ...]
    tokens: tuple[int, ...]
    left_out: int
    what: Literal["passages"] = "passages"


@dataclass(frozen=True, slots=True)
class Repeat:
    """A passage that nearly repeats another one, and where that stands."""

    first: int
    last: int
    item: str
    number: int


@dataclass(frozen=True, slots=True)
class Described:
    """A document: what it is about, its summary if there is one, the passages that repeat no other one."""

    view: Mapping[str, Any]
    name: str
    title: str
    language: str
    category: str
    event: str
    summary: str
    passages: tuple[tuple[int, int], ...]
    repeats: tuple[Repeat, ...] = ()
    left_out: int = 0
    what: Literal["document"] = "document"


@dataclass(frozen=True, slots=True)
class Said:
    """What a person decided, or a grade that somebody gave; `grade` None is none."""

    by: str
    decision: str
    reason: str = ""
    grade: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """A query with its relevant text and its negatives.

    `checked` are the mean grades of its own text and of the passage that it comes from. `replaces` is the wording that
    a person changed. `needs` are all that came to mind, the one taken first.
    """

    intent: str
    category: str
    event: str
    document: str
    query: str
    text: str
    negatives: Mapping[str, str]
    drawn: Mapping[str, str]
    needs: tuple[str, ...]
    checked: Mapping[str, str] = field(default_factory=dict)
    said: tuple[Said, ...] = ()
    replaces: str = ""
    what: Literal["query"] = "query"


@dataclass(frozen=True, slots=True)
class Found:
    """Where one ranking has a text: `by` whom, in which `mode`, at which `rank` from 1 on, with which `score`."""

    by: str
    mode: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text of a pool under its name.

    `origin` says what it is: a passage, a summary, or what a writer called it. A passage stands in the sentences
    `first` to `last` of the `view`th view of the pool; other texts stand here as they are. A planted one comes from
    another query and is known not to be relevant.
    """

    id: str
    origin: str
    found: tuple[Found, ...] = ()
    own: bool = False
    view: int = 0
    first: int = 0
    last: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Pool:
    """The texts that are graded for a query.

    `rankings` are those that were asked, `ranks` where each of them has the query's own texts, 0 for nowhere, and
    `texts` how many there were to be found. `repeats` is the item of another query that this one nearly repeats.
    """

    query_item: str
    intent: str
    category: str
    event: str
    query: str
    own: str
    candidates: tuple[Candidate, ...]
    views: tuple[Mapping[str, Any], ...]
    rankings: tuple[str, ...]
    ranks: Mapping[str, Mapping[str, int]]
    texts: int
    repeats: str = ""
    said: tuple[Said, ...] = ()
    what: Literal["pool"] = "pool"


@dataclass(frozen=True, slots=True)
class Given:
    """A grade by a model: `by` it in one of its runs, by a `strategy`; None abstains."""

    by: str
    strategy: str
    grade: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """A query and a text, with all grades.

    `mean` is the exact mean of the models' grades ("5/3"), `grade` the one that holds. `incomplete`: a strategy failed
    or could not say. `planted`: it tests the graders and is no part of the set. `sole` is who alone has found the text.
    `panel` is the grade of the models, where these come to one.
    """

    query_item: str
    intent: str
    category: str
    query: str
    doc: str
    origin: str
    own: bool
    grades: tuple[Given, ...] = ()
    mean: str = ""
    people: tuple[Said, ...] = ()
    grade: int | None = None
    incomplete: bool = False
    planted: bool = False
    sole: str = ""
    panel: int | None = None
    what: Literal["pair"] = "pair"


Body = Passages | Described | Query | Pool | Pair
DIGITS = 12  # of a query's item in its name


def query_name(item: str) -> str:
    """The name of a query in the set; names of texts begin with another letter."""
    return f"q{item[:DIGITS]}"


@cache
def adapter() -> TypeAdapter[Body]:
    """What turns bodies into JSON values and back."""
    return TypeAdapter(Body)


def as_json(body: Body) -> dict[str, Any]:
    """A body as JSON values."""
    values: dict[str, Any] = adapter().dump_python(body, mode="json")
    return values
