"""An item with options as it is stored, shown and exported: what `items.body` holds, as a type.

Keys in JSON are the names of the fields, but for `class`, which is no name in Python.
"""

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from benchwright.domain.vote import Route

WhereThere = Field(exclude_if=lambda value: not value)  # what is stored of items and decisions that have it alone


@dataclass(frozen=True, slots=True)
class Quote:
    """Cited evidence: the sentence's number in the input text, its characters in the stored document, its words."""

    sentence: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """The question and the sentences that it rests on; `author` is the person whose wording it is.

    That `replaces` the wording that the options were written and voted on for.
    """

    question: str
    evidence: tuple[Quote, ...]
    author: Annotated[str, WhereThere] = ""
    replaces: Annotated[str, WhereThere] = ""


@dataclass(frozen=True, slots=True)
class OptionVote:
    """One vote: `by` is "model#run", `verdict` the voter's word, `keep` what it counts as (None: an abstention).

    `answer` is the voter's own answer, given before it judged, `cites` are the sentences that it relied on.
    """

    by: str
    verdict: str
    keep: bool | None
    reason: str
    answer: Annotated[str, WhereThere] = ""
    cites: Annotated[tuple[int, ...], WhereThere] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person said: keep, reject, cannot_say, or edit with the new wording as `text`.

    `first` is what they had decided first, without knowing votes or what others said, where they changed it since.
    """

    by: str
    decision: str
    reason: str
    text: Annotated[str, WhereThere] = ""
    first: Annotated[str, WhereThere] = ""


@dataclass(frozen=True, slots=True)
class EvidenceCheck:
    """What a panel said of cited sentences, by number, without the document: whether they carry the option."""

    sentences: tuple[int, ...]
    ratio: str
    route: str | None
    votes: tuple[OptionVote, ...] = ()


@dataclass(frozen=True, slots=True)
class StemCheck:
    """What a panel and people said of the question before any option was written.

    The fields are those of an option. `vetoes` are the families that said no in all of their runs, `written` is the
    wording of its writer, where people gave it another one before options were written.
    """

    ratio: str
    route: str | None
    votes: tuple[OptionVote, ...] = ()
    lacks: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()
    vetoes: tuple[str, ...] = ()
    audited: bool = False
    decisions: tuple[Decision, ...] = ()
    fate: str | None = None
    written: str = ""


@dataclass(frozen=True, slots=True)
class Wording:
    """How an option was worded before a person changed it, and its name then: votes and decisions are about that."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """An option with its history.

    `label` is "correct" or "distractor", `ratio` "10/12" is keep votes of votes cast, `route` what the votes led to,
    `gate` the check at which it fell before any vote. `lacks` are the turns of the panel that have not voted on it,
    `degraded` the votes that substitutes gave, `vetoes` the families that said no in all of their runs to what would be
    kept; `audited` says that people are asked whatever the votes say. `fate` is keep, reject, human while people owe a
    decision, None while the panel does. `author` is the person whose wording it is, where it `replaces` another.
    `relied` "5/6" says how many of the votes that confirm it and name sentences name one that it cites; `doubt` is why
    it falls, or is put to people, whatever its ratio.
    """

    id: str
    label: str
    text: str
    rationale: str
    evidence: tuple[Quote, ...]
    confusion: str = ""
    gate: str | None = None
    route: str | None = None
    ratio: str = "0/0"
    votes: tuple[OptionVote, ...] = ()
    lacks: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()
    vetoes: Annotated[tuple[str, ...], WhereThere] = ()
    audited: bool = False
    decisions: tuple[Decision, ...] = ()
    fate: str | None = None
    author: str = ""
    replaces: Wording | None = None
    relied: Annotated[str, WhereThere] = ""
    evidence_checks: Annotated[tuple[EvidenceCheck, ...], WhereThere] = ()
    doubt: Annotated[str, WhereThere] = ""

    @property
    def name_before(self) -> str:
        """The name by which votes, people and files know it: that of the wording before a person's."""
        return self.replaces.id if self.replaces else self.id


@dataclass(frozen=True, slots=True)
class Statement:
    """What some facts of graphs, by their ids, come to in words."""

    statement: str
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """How many statements of graphs the writer of the question was given, and those that it says it used."""

    given: int
    used: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """How one model, "model#run", answered: F1 as a fraction, Exact Match as 0 or 1; None of one that failed."""

    by: str
    f1: str | None
    exact: int | None


@dataclass(frozen=True, slots=True)
class Version:
    """A stem as it was measured; `phrase` describes `entity`, from its `sources`: addresses, files, graphs.

    `score` is the exact DiffScore over those who answered, None where none did.
    """

    stem: str
    entity: str
    phrase: str
    sources: tuple[str, ...]
    score: str | None
    level: str
    answered: int
    failed: int
    marks: tuple[Judgement, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A page that a search found."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rewritten stem that was tried; `stem` is empty where there came none, `why` says why."""

    phrase: str
    stem: str
    sources: tuple[str, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A round of rewriting: what was picked, what was found by whom, all that was tried, and how it ended."""

    entity: str
    names: tuple[str, ...]
    by: str
    failures: tuple[str, ...]
    found: tuple[Page, ...]
    tried: tuple[Rewrite, ...]
    objections: tuple[str, ...]
    end: str


@dataclass(frozen=True, slots=True)
class OptionSet:
    """Options by their ids as judges answered them together: how hard that was, and which distractors nobody took."""

    options: tuple[str, ...]
    score: str | None
    level: str
    untaken: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard the item is, by which rule (its numbers as they were set), and the versions and rounds that led there.

    `best` is the place of the kept version; the first, 0, is the stem as it was written.
    """

    best: int
    level: str
    why: str
    rule: dict[str, Any]
    versions: tuple[Version, ...]
    rounds: tuple[Attempt, ...] = ()
    sets: Annotated[tuple[OptionSet, ...], WhereThere] = ()  # where distractors that nobody took were replaced


@dataclass(frozen=True, slots=True)
class Body:
    """The item; `order` are the ids of the options in it, in the order to show them, empty before it is finished.

    Not every pipeline's items have what stands below `order`.
    """

    question: Question
    options: tuple[Choice, ...]
    order: tuple[str, ...] = ()
    topic_class: Annotated[str, Field(alias="class")] = ""
    topic: str = ""
    stem_check: Annotated[StemCheck | None, WhereThere] = None
    intended: Annotated[str, WhereThere] = ""  # how many options were to be right: one, several or none
    knowledge: Annotated[Knowledge | None, WhereThere] = None
    difficulty: Annotated[Difficulty | None, WhereThere] = None

    @property
    def options_in_item(self) -> tuple[Choice, ...]:
        """The options in the item, in their order."""
        named = {option.id: option for option in self.options if option.fate == Route.KEEP}
        return tuple(named[name] for name in self.order)

    @property
    def other_options(self) -> tuple[Choice, ...]:
        """All others."""
        return tuple(one for one in self.options if one.fate != Route.KEEP or one.id not in self.order)


@cache
def adapter() -> TypeAdapter[Body]:
    """What turns bodies into JSON values and back; building it takes some milliseconds."""
    return TypeAdapter(Body)


def as_json(body: Body) -> dict[str, Any]:
    """The body as JSON values."""
    values: dict[str, Any] = adapter().dump_python(body, mode="json", by_alias=True)
    return values


def from_json(values: object) -> Body:
    """A body from its JSON values, those of earlier versions included; raises `ValueError` for anything else."""
    return adapter().validate_python(values)
