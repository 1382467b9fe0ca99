"""What an item is: in turn an annotated scene, a set of questions, an answered question, a judged one.

`items.body` holds these as JSON values; the field `what` tells which one it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar

from pydantic import TypeAdapter

from benchwright.agents.crisis.time import TIME_FRAMES, TimeFrame

UNCLASSED = "none agreed"  # in place of a class of what is missing
GOLD = "people"  # the source of an answer that people noted with the scene


@dataclass(frozen=True, slots=True)
class Said:
    """A vote or a decision: by whom ("model#run", "human:ada"), what, and why."""

    by: str
    word: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to a question: an action and why it is right; `source` is a model, or `people`.

    `flags` name the fields that are longer than allowed though they were asked to be shortened; `failure` says why
    there is no answer.
    """

    source: str
    action: str = ""
    explanation: str = ""
    flags: tuple[str, ...] = ()
    failure: str = ""

    @property
    def text(self) -> str:
        """Action and explanation in one line."""
        return f"{self.action} ({self.explanation})" if self.explanation else self.action


@dataclass(frozen=True, slots=True)
class Check:
    """How a question, or a class, stands by a criterion: its votes of those cast, route, people, what became of it.

    `audited`: it was drawn for people whatever the votes say.
    """

    criterion: str
    ratio: str
    route: str | None
    votes: tuple[Said, ...] = ()
    decisions: tuple[Said, ...] = ()
    fate: str | None = None
    lacks: tuple[str, ...] = ()
    doubt: str = ""
    audited: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene with one person's notes: the gold answers of its questions.

    `drafted` are the fields of the form that a model drafted and people then corrected, `author` who filled them in.
    `resource_class` is "" where the panel did not agree to one, and `check` holds its votes.
    `experts` are the words of people who looked at it.
    """

    scene: str
    annotator: str
    text: str
    caption: str
    image: dict[str, Any] | None
    incidents: tuple[str, ...]
    places: tuple[str, ...]
    problem: str
    resource: str
    gold: tuple[Reply, ...]
    resource_class: str = ""
    check: Check | None = None
    drafted: tuple[str, ...] = ()
    author: str = ""
    captioned_by: str = ""
    experts: tuple[Said, ...] = ()
    remarks: tuple[str, ...] = ()
    licence: str = ""
    source: str = ""
    language: str = ""
    what: Literal["scene"] = "scene"

    @property
    def shown(self) -> str:
        """The scene in words."""
        return "\n".join(filter(None, (self.text, self.caption)))


@dataclass(frozen=True, slots=True)
class Question:
    """A question for a time frame: its text, which try it is, whether code knows its words for the time.

    `fault` is what code found wrong, before any vote. `leak` says which words of the gold it shares,
    or that its meaning is near; `meaning` is the greatest cosine with a gold text, None where no model embeds texts.
    """

    id: str
    time: TimeFrame
    text: str
    round: int
    time_phrase: str
    fault: str = ""
    leak: str = ""
    checks: tuple[Check, ...] = ()
    fate: str | None = None
    meaning: float | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """What questions about one incident in one place share: all that later phases need of their scene."""

    scene: str
    annotator: str
    shown: str
    incident: str
    place: str
    problem: str
    resource: str
    resource_class: str
    gold: tuple[Reply, ...]
    image: dict[str, Any] | None = None
    language: str = ""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions about one incident in one place, one for each time frame; `paraphrased`: in other words than labels."""

    facts: Facts
    questions: tuple[Question, ...]
    paraphrased: bool = False
    what: Literal["questions"] = "questions"

    @property
    def kept(self) -> tuple[Question, ...]:
        """The questions that stand, in the order of time."""
        first = {one.time: one for one in reversed(self.questions) if one.fate == "keep"}
        return tuple(first[time] for time in TIME_FRAMES if time in first)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as models and people find it: `id` names it in the set."""

    id: str
    time: TimeFrame
    question: str
    facts: Facts

    @property
    def gold(self) -> Reply:
        """What the person who noted the scene would do."""
        return self.facts.gold[TIME_FRAMES.index(self.time)]


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with the answers of all models."""

    asked: Asked
    replies: tuple[Reply, ...] = ()
    what: Literal["answers"] = "answers"


@dataclass(frozen=True, slots=True)
class Mark:
    """A judge's grades of one answer, 1 to 5 on each dimension; `endangers` marks it as dangerous to life."""

    source: str
    by: str
    scores: Mapping[str, int]
    reasons: Mapping[str, str]
    endangers: bool
    danger: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A judge's choice between two answers in the order in which they were shown: first, second or tie."""

    first: str
    second: str
    by: str
    better: Mapping[str, str]
    reasons: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Preference:
    """A person's choice between two answers, in the order in which they were shown; `attention`: a known one."""

    first: str
    second: str
    by: str
    better: Mapping[str, str]
    danger: str = ""
    reason: str = ""
    attention: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """An answered question with all judgements; `vetoed` are the sources whose answers endanger life."""

    asked: Asked
    replies: tuple[Reply, ...]
    marks: tuple[Mark, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    preferences: tuple[Preference, ...] = ()
    vetoed: tuple[str, ...] = ()
    what: Literal["judgement"] = "judgement"


Sort = TypeVar("Sort", "Scene", "QuestionSet", "Answered")
Body = Scene | QuestionSet | Answered | Judged


@cache
def adapter() -> TypeAdapter[Body]:
    """What turns bodies into JSON values and back."""
    return TypeAdapter(Body)


@cache
def facts_adapter() -> TypeAdapter[Facts]:
    """The same of what sets share with later phases."""
    return TypeAdapter(Facts)


@cache
def asked_adapter() -> TypeAdapter[Asked]:
    """The same of a question."""
    return TypeAdapter(Asked)


def as_json(body: Body) -> dict[str, Any]:
    """A body as JSON values."""
    values: dict[str, Any] = adapter().dump_python(body, mode="json")
    return values


def read_body(values: Any) -> Body:
    """A body from its JSON values; raises `ValueError`."""
    return adapter().validate_python(values)


def read_as(kind: type[Sort], values: Any) -> Sort:
    """A body of one sort from its JSON values; raises `ValueError` where it is of another."""
    found = read_body(values)
    if not isinstance(found, kind):
        raise ValueError(  # noqa: TRY004 - the values are wrong, not their type
            f"this is no {kind.__name__}, it has what = {found.what!r}"
        )
    return found
