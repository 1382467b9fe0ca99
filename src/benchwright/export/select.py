"""What an export knows of an item: everything that a data set's reader may ask, and nothing of time or machine."""

from collections.abc import Mapping
from dataclasses import dataclass


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
class Exported:
    """A finished item.

    `input_text` is what its reader sees of the document, `options` stand in their stored order, `answers` are the
    ids of the correct ones, `dropped` those that did not make it; `models` names who served each role.
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
