"""What an export knows of an item: everything that a data set's reader may ask, and nothing of time or machine."""

from collections.abc import Mapping
from dataclasses import dataclass

WITHHELD = "left out so that no option is right"  # the reason for which a sound option is not in the set


@dataclass(frozen=True, slots=True)
class Source:
    """The document that an item is made of; empty where the document does not say."""

    id: str
    name: str
    title: str
    doi: str
    licence: str


@dataclass(frozen=True, slots=True)
class Quote:
    """Cited evidence: the sentence's number in the input text, its characters in the stored document, its words."""

    sentence: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Ballot:
    """One vote: `by` is "model#run", `verdict` the voter's word, `keep` what it counts as (None: an abstention)."""

    by: str
    verdict: str
    keep: bool | None
    reason: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person said: keep, reject, cannot_say, or edit with the new wording as `text`."""

    by: str
    decision: str
    reason: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Wording:
    """How an option was worded before a person changed it, and its name then: votes and decisions are about that."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """An option with its history.

    `label` is "correct" or "distractor", `ratio` "10/12" is keep votes of votes cast, `route` what the votes led to,
    `gate` the check at which it fell before any vote, `reason` why it was dropped; empty where there is none.
    `author` is the person whose wording it is, where it `replaces` another; `audited` says that people were asked
    whatever the votes said.
    """

    id: str
    label: str
    text: str
    evidence: tuple[Quote, ...]
    rationale: str
    confusion: str = ""
    votes: tuple[Ballot, ...] = ()
    ratio: str = "0/0"
    route: str = ""
    gate: str = ""
    reason: str = ""
    decisions: tuple[Decision, ...] = ()
    author: str = ""
    replaces: Wording | None = None
    audited: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """The stem and what it rests on."""

    text: str
    evidence: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """A claim of a knowledge graph: names and ids of both ends, and who states it."""

    id: str
    subject: str
    subject_id: str
    relation: str
    object: str
    object_id: str
    source: str
    details: str


@dataclass(frozen=True, slots=True)
class Statement:
    """What some facts come to in words."""

    text: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """How many statements of graphs the writer of the question was given, and those that it says it used."""

    given: int
    used: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """How one judge, "model#run", answered: F1 as a fraction, Exact Match as 0 or 1; None of one that failed."""

    by: str
    f1: str | None
    exact: int | None


@dataclass(frozen=True, slots=True)
class Version:
    """A stem as it was measured; `phrase` describes `entity`, from its `sources`: addresses, files, graphs.

    `score` is the DiffScore over the judges who answered, exactly in `score_exact`; None where none did.
    """

    stem: str
    entity: str
    phrase: str
    sources: tuple[str, ...]
    score: float | None
    score_exact: str | None
    level: str | None
    answered: int
    failed: int
    judgements: tuple[Judgement, ...]


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard the kept stem is, by the rule of `alpha` and `threshold`; `kept` is its place among `versions`.

    The first version, 0, is the stem as it was written; `why` says why there are no more of them.
    """

    score: float | None
    score_exact: str | None
    level: str
    alpha: float
    threshold: float
    answered: int
    failed: int
    kept: int
    why: str
    versions: tuple[Version, ...]


@dataclass(frozen=True, slots=True)
class Exported:
    """A finished item.

    `input_text` is what its reader sees of the document, `options` stand in their stored order, `answers` are the
    ids of the correct ones, `dropped` those that did not make it; `models` names who served each role. Not every
    pipeline's items have a class and a topic, nor what follows on `attempt`: what is empty or None there is not said.
    `original_question` is the stem as it was written, of every item that was measured.
    """

    id: str
    document: Source
    input_text: str
    topic_class: str
    topic: str
    language: str
    question: Question
    options: tuple[Choice, ...]
    answers: tuple[str, ...]
    dropped: tuple[Choice, ...]
    models: Mapping[str, tuple[str, ...]]
    seed: int
    slot: int
    attempt: int
    intended: str = ""
    knowledge: Knowledge | None = None
    difficulty: Difficulty | None = None
    original_question: str | None = None
