"""What an evaluation comes to, in a form that any room can show: parts with tables and figures, JSON, rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchwright.pipelines.kind import Line, Table


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with the ends of its interval, where there is one; None is no value."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Bars:
    """Values side by side, from 0 to `most`."""

    title: str
    bars: tuple[Bar, ...]
    most: float = 1.0


@dataclass(frozen=True, slots=True)
class Heat:
    """A value for each pair of a row and a column, from 0 to 1; None is no value."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]


Figure = Bars | Heat


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it."""

    title: str
    content: tuple[Line | Table | Figure, ...]


@dataclass(frozen=True, slots=True)
class Measurement:
    """A whole report: `rows` is its leading table as CSV, with a head; `notes` are doubts about what was read."""

    title: str
    sections: tuple[Section, ...]
    json: Mapping[str, Any]
    rows: Sequence[Sequence[object]] = ()
    notes: tuple[str, ...] = field(default=())
