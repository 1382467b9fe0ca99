"""What a pipeline is: two pure functions, and a third that says which item begins next.

Where items come from. A campaign's corpus is a row of sources: documents, then records, as far as the pipeline takes
them (`inputs`). `admit(sources, progress)` begins items from it: `len(sources)` is how many there are, `sources[place]`
the `Outline` of one; each is read from the store when it is asked for, so a million of them take no memory. An item's
`Seed.about` is a `View` of a document, a `Passage`, a `RecordRef`, an `ItemRef`, a tuple of these, or ().

Phases. A pipeline may make its items in `phases`, one after the other; most have one, whose name is "". `admit` is
asked for items of `progress.phase`, and puts that name into each seed; slots count from 0 in each phase. The first
phase draws on the corpus. Once all items of a phase have ended, the kept ones are recorded in the order of their slots,
with the bodies that they have then, and the next phase draws on that record alone: its `sources` are outlines with an
`ItemRef` and the `body`; `progress.corpus` has the corpus. `wanted(phase, sources)` is how many items a phase wants.
Items that wait for people hold the next phase back, unless `[items] wait_for_people = false`: then it begins without
them. `pipelines/slots.py` has an `admit` for slots that are refilled until each has a kept item.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from pathlib import Path
from typing import Any, ClassVar, Protocol

from pydantic import BaseModel

from benchwright.agents.base import Agent
from benchwright.domain.answer import HUMAN, Answer
from benchwright.domain.campaign import Campaign, Panel
from benchwright.domain.document import Document, View
from benchwright.domain.item import Ending, Progress, Seed
from benchwright.domain.source import Inputs, Sources
from benchwright.pipelines.card import Card
from benchwright.pipelines.kind import Kind
from benchwright.pipelines.template import Starter

__all__ = [
    "HUMAN",
    "Due",
    "Expected",
    "Fault",
    "Inputs",
    "Piece",
    "Pipeline",
    "PipelineType",
    "Role",
    "Served",
    "Steady",
    "Usual",
    "measures_apart",
    "state_of",
]


@dataclass(frozen=True, slots=True)
class Due:
    """One thing that is owed: this question to this model or to people, once.

    `about` names the part of the item, `run` which of several samples. Dues with the same `wave` are owed together, and
    by what models answer nothing else can become owed or change until all of them are answered or one has failed.
    """

    agent: Agent
    ask: Any
    to: str
    about: str = ""
    run: int = 0
    wave: str = ""

    @property
    def key(self) -> str:
        """What makes it the same ticket: an item owes each key once."""
        return f"{self.agent.name}/{self.about}/{self.to}/{self.run}"

    @property
    def by(self) -> str:
        """Who will have answered."""
        return f"{self.to}#{self.run + 1}"


class Served(StrEnum):
    """Who serves a role."""

    ONE = "one"  # one model, asked once
    PANEL = "panel"  # several models, several runs: their answers are weighed together
    EACH = "each"  # each of several models for itself, as when models are measured
    EMBEDDERS = "embedders"  # models that embed texts for code; all that the catalogue has where none is named
    PEOPLE = "people"
    CODE = "code"  # a service


class Steady(StrEnum):
    """What it means that a model can never give a usable answer in a role."""

    STOP = "stop"  # the run stops: its answers are needed
    RECORD = "record"  # the failure is recorded and the run goes on: it is a finding about the model


@dataclass(frozen=True, slots=True)
class Role:
    """What an agent is within a pipeline. Nothing about it is told by its name.

    `votes`: its answers are votes under the campaign's rule. `stand_ins`: a model that is down may be replaced by its
    substitute. `duty` is what it does in a word, the same in every pipeline. `like` names a panel that serves this role
    too where the campaign names nobody for it.
    """

    agent: Agent
    served: Served = Served.ONE
    votes: bool = False
    stand_ins: bool = False
    steady: Steady = Steady.STOP
    duty: str = ""
    like: str = ""

    @property
    def name(self) -> str:
        """The agent's."""
        return self.agent.name


@dataclass(frozen=True, slots=True)
class Expected:
    """What one attempt at an item takes of a role: from and to so many calls by all of its models together, or cards.

    `ask` is about how many tokens a question has beside document and prompt file, `reply` from and to how many a reply.
    The item is one of that `phase`. `shown` is how many tokens of a source a question shows; None is all of it.
    """

    role: str
    calls: tuple[float, float]
    ask: int
    reply: tuple[int, int]
    phase: str = ""
    shown: int | None = None


class Described(Protocol):
    """What is known of a pipeline, with a campaign or before there is one."""

    @property
    def name(self) -> str:
        """Its name in campaign files."""
        ...

    @property
    def kind(self) -> Kind:
        """What its items are."""
        ...

    @property
    def roles(self) -> tuple[Role, ...]:
        """What its agents are, in the order of the making."""
        ...

    @property
    def inputs(self) -> tuple[Inputs, ...]:
        """What it takes from the corpus."""
        ...

    @property
    def splits(self) -> bool:
        """Whether models see parts of documents only, so that none is too long."""
        ...


@dataclass(frozen=True, slots=True)
class Piece:
    """A text that code can find: the `text` of a model, or the sentences `first` to `last` of the item's document.

    `origin` is what its item calls it. Texts of another `group` are never found with it.
    """

    origin: str
    text: str = ""
    first: int = 0
    last: int = 0
    group: str = ""


class Usual:
    """What most pipelines are: a whole document has to fit a model, code finds no texts, and nothing is doubtful."""

    splits: ClassVar[bool] = False

    def pieces(self, body: Mapping[str, Any]) -> Iterable[Piece]:
        """See `Pipeline`."""
        return ()

    def doubts(self) -> Sequence[str]:
        """See `Pipeline`."""
        return ()


class Pipeline(Described, Protocol):
    """A way to make items. Pure: no clock, no chance that is not seeded, nothing awaited."""

    def pieces(self, body: Mapping[str, Any]) -> Iterable[Piece]:
        """The texts of a kept item that code can find for a later phase (`pipelines/texts.py`), in a lasting order."""
        ...

    def doubts(self) -> Sequence[str]:
        """What of the campaign makes its set doubtful though nothing forbids it: `doctor` shows each."""
        ...

    @property
    def agents(self) -> tuple[Agent, ...]:
        """Every role it may ask, people included."""
        ...

    @property
    def question_step(self) -> str:
        """The step whose answer holds the item's `question`, compared for near-duplicates; "" for none."""
        ...

    @property
    def phases(self) -> tuple[str, ...]:
        """Its phases in order; ("",) where there is one only."""
        ...

    def wanted_items(self, phase: str, sources: Sources) -> int:
        """How many items, each in a slot of its own, a phase is to have with so many sources: their number alone tells.

        An estimate asks it about the items of a phase before the phase has any.
        """
        ...

    def shows(self, document: Document) -> View:
        """What of a document is seen, and what is masked; raises `Unreadable` where it suits no item of this kind."""
        ...

    def sources(self) -> Mapping[str, str]:
        """Hashes of the files it draws on, prompts aside."""
        ...

    def admit(self, sources: Sources, progress: Progress) -> Sequence[Seed]:
        """The items that begin next, at most `progress.room`; none where the phase has begun all that it wants."""
        ...

    def expect(self) -> Sequence[Expected]:
        """What one attempt at an item takes of each role that models or people serve."""
        ...

    def begin(self, seed: Seed) -> Any:
        """What is known about an item of which nothing was said."""
        ...

    def fold(self, state: Any, answer: Answer) -> Any:
        """What is known after one more answer; the same, in whatever order answers came."""
        ...

    def plan(self, state: Any) -> Sequence[Due] | Ending:
        """What is owed next (never empty), or how the item ends."""
        ...

    @property
    def people(self) -> tuple[Agent, ...]:
        """The roles that people answer: first that of the parts they mostly decide about, last what nobody is asked."""
        ...

    def card(self, state: Any, step: str, about: str) -> Card | None:
        """What people see of a part in one of their roles, also where they owe nothing; None where there is no such."""
        ...

    def body(self, state: Any) -> Any | None:
        """An item as it stands, in its kind's own type; None while there is nothing to show."""
        ...


Fault = tuple[tuple[str, ...], str]  # the path of a key in a table, and what is wrong with it


class PipelineType(Described, Protocol):
    """What the registry lists: a class of pipelines, known before there is a campaign."""

    @property
    def Settings(self) -> type[BaseModel]:  # noqa: N802 - a type
        """The table of a campaign file that bears the pipeline's name."""
        ...

    def of(self, campaign: Campaign, folder: Path) -> Pipeline:
        """The pipeline of a campaign; files that its settings name lie below `folder`."""
        ...

    def find_faults(self, settings: Any, panels: Mapping[str, Panel]) -> Sequence[Fault]:
        """What of its settings does not fit who serves the roles: the path of the key in its table, and what to do."""
        ...

    def starter(self) -> Starter:
        """Its lines in a first campaign file."""
        ...


def measures_apart(pipeline: Described) -> bool:
    """Whether every model answers for itself alone, as when models are measured: one that fails holds no other back."""
    answering = {Served.ONE, Served.PANEL, Served.EACH}
    return {role.served for role in pipeline.roles} & answering == {Served.EACH}


def state_of(pipeline: Pipeline, seed: Seed, answers: Sequence[Answer]) -> Any:
    """What is known about an item by all that was said about it."""
    return reduce(pipeline.fold, answers, pipeline.begin(seed))
