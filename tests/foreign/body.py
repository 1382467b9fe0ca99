"""What an item is: in the first phase a query, in the second a pair of a query and a record."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class Query:
    """A query, the `docno` of the record that it was written from, and that record's place in the corpus."""

    query: str
    docno: str
    place: int
    what: Literal["query"] = "query"


@dataclass(frozen=True, slots=True)
class Given:
    """A grade that somebody gave; None is an abstention."""

    by: str
    grade: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair with the grades of the panel, their exact mean ("5/3"), what people said, and the grade that holds."""

    qid: str
    query: str
    docno: str
    grades: tuple[Given, ...] = ()
    mean: str = ""
    people: tuple[Given, ...] = ()
    grade: int | None = None
    what: Literal["pair"] = "pair"


Body = Query | Pair


@cache
def adapter() -> TypeAdapter[Body]:
    """What turns bodies into JSON values and back."""
    return TypeAdapter(Body)


def as_json(body: Body) -> dict[str, Any]:
    """A body as JSON values."""
    values: dict[str, Any] = adapter().dump_python(body, mode="json")
    return values
