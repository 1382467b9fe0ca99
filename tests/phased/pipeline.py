"""A small pipeline of two phases: a query for each record, then each kept query graded with some records.

It is about records, other items and both at once; people may have to pass a query. Enough to prove sources and phases.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent
from benchwright.agents.frames import RECORD, SEVERAL
from benchwright.domain.answer import HUMAN, Answer
from benchwright.domain.call import Request
from benchwright.domain.campaign import Campaign, Model, Panel, Quota
from benchwright.domain.document import Document, View
from benchwright.domain.ids import canonical, seeded_random
from benchwright.domain.item import Ending, Progress, Seed, discarded_ending, kept_ending
from benchwright.domain.source import Inputs, ItemRef, Sources
from benchwright.domain.vote import Rule
from benchwright.errors import Unreadable
from benchwright.pipelines import slots
from benchwright.pipelines.base import Due, Expected, Role, Served, Usual
from benchwright.pipelines.card import Card
from benchwright.pipelines.kind import Kind

QUERIES, PAIRS = "queries", "pairs"
RULE = Rule(Fraction(4, 5), Fraction(7, 10))


@dataclass(frozen=True, slots=True)
class Wish:
    """What the query is to be like."""

    wish: str


@dataclass(frozen=True, slots=True)
class Scale:
    """What is graded."""

    scale: str


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Query(Strict):
    query: str = Field(max_length=200)


class Grade(Strict):
    grade: int = Field(ge=0, le=3)


class Word(Strict):
    decision: str


write_query = Agent("write_query", Wish, Query, frame=RECORD)
grade_pair = Agent("grade_pair", Scale, Grade, frame=SEVERAL)
pass_query = Agent("pass_query", Wish, Word, file="write_query")


class PlainKind:
    """Items whose bodies are JSON values; the rest of a kind is not needed here."""

    def read(self, values: Any) -> Any:
        return values

    def write(self, body: Any) -> dict[str, Any]:
        return dict(body)


@dataclass(frozen=True)
class Pairs(Usual):
    """The pipeline; each kept query is graded with `each` records. `asks_people` is the share of queries they pass."""

    campaign: Campaign
    each: int = 2
    asks_people: float = 0.0
    phases: tuple[str, ...] = (QUERIES, PAIRS)
    name: str = "pairs"
    agents: tuple[Agent, ...] = (write_query, grade_pair, pass_query)
    question_step: str = ""
    inputs: tuple[Inputs, ...] = (Inputs.RECORDS,)
    roles: tuple[Role, ...] = (Role(write_query), Role(grade_pair), Role(pass_query, Served.PEOPLE))
    kind: Kind = field(default=cast("Kind", PlainKind()), repr=False)

    @property
    def people(self) -> tuple[Agent, ...]:
        """Who passes queries."""
        return (pass_query,)

    def card(self, state: Any, step: str, about: str) -> Card | None:
        """None: the tests say what people say."""
        return None

    def wanted_items(self, phase: str, sources: Sources) -> int:
        """A query for each slot of the quota, `each` pairs for each query."""
        return slots.slots(self.campaign, len(sources)) if phase != PAIRS else self.each * len(sources)

    def shows(self, document: Document) -> View:
        """It takes no documents."""
        raise Unreadable(f"{document.name}: is a document")

    def sources(self) -> Mapping[str, str]:
        """It draws on no files."""
        return {}

    def admit(self, sources: Sources, progress: Progress) -> Sequence[Seed]:
        """Queries by slots; then each kept query with its records, one try each."""
        if progress.phase != PAIRS:
            return slots.admit(self.campaign, sources, progress)
        end = min(self.wanted_items(PAIRS, sources), progress.begun + progress.room)
        return [self.pair(slot, sources, progress.corpus) for slot in range(progress.begun, end)]

    def pair(self, slot: int, sources: Sources, corpus: Sources) -> Seed:
        """A query with one of the records."""
        query = sources[slot // self.each]
        record = corpus[(slot * 7) % len(corpus)]
        return Seed(slot, 0, (query.about, record.about), canonical({"query": query.body}), PAIRS)

    def expect(self) -> Sequence[Expected]:
        """A call for each item."""
        return (Expected(write_query.name, (1, 1), 10, (5, 20)), Expected(grade_pair.name, (1, 1), 10, (5, 10)))

    def begin(self, seed: Seed) -> Any:
        """The seed, and what was said by step."""
        return seed, {}

    def fold(self, state: Any, answer: Answer) -> Any:
        """The same with one more answer."""
        seed, said = state
        return seed, {**said, answer.step: answer}

    def plan(self, state: Any) -> Sequence[Due] | Ending:
        """One question to a model, perhaps one to people."""
        seed, said = state
        agent, ask = (grade_pair, Scale("0 to 3")) if seed.phase == PAIRS else (write_query, Wish("short"))
        if agent.name not in said:
            return [Due(agent, ask, self.campaign.roles[agent.name].models[0])]
        answer = said[agent.name]
        if answer.failure:
            return discarded_ending(answer.failure)
        if seed.phase == PAIRS:
            return kept_ending("graded", json.loads(answer.body) | {"query": json.loads(seed.body)["query"]})
        return self.pass_on(seed, said, json.loads(answer.body))

    def pass_on(self, seed: Seed, said: Mapping[str, Answer], body: Mapping[str, Any]) -> Sequence[Due] | Ending:
        """A query, perhaps after people had a look at it."""
        if seeded_random(seed.id, "people").random() < self.asks_people:
            if pass_query.name not in said:
                return [Due(pass_query, Wish("short"), HUMAN)]
            if json.loads(said[pass_query.name].body)["decision"] == "reject":
                return discarded_ending("people rejected it")
        return kept_ending("written", body)

    def body(self, state: Any) -> Any | None:
        """Nothing is shown before the end."""
        del state
        return None


def campaign(quota: Quota | None = None, width: int = 4) -> Campaign:
    """A campaign of such pairs on one scripted model."""
    model = Model("writer", "direct", "writer", "http://127.0.0.1:9/v1", width=width)
    roles = {agent.name: Panel(("writer",)) for agent in (write_query, grade_pair)}
    return Campaign("test", "pairs", ("*.jsonl",), {"writer": model}, roles, RULE, quota or Quota())


def answer(request: Request) -> str:
    """What the scripted model says: a query that names the record, a grade that depends on the pair alone."""
    said = request.messages[-1].content
    if request.step == "grade_pair":
        return canonical({"grade": seeded_random(said).randrange(4)})
    return canonical({"query": f"what is {seeded_random(said).randrange(10**9)}?"})


def item_of(seed: Seed) -> str:
    """The query that a pair is about."""
    query, _ = seed.about if isinstance(seed.about, tuple) else ()
    return query.item if isinstance(query, ItemRef) else ""
