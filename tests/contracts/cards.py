"""What holds for any card, whatever its form: files, terminal and page draw it, take it in, and settle it by its rule.

The pipeline here owes people one card about each of its items and nothing else.
"""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, create_model
from rich.console import Console
from tests.scripted_recall import document

from benchwright.agents.base import Agent, Quoted
from benchwright.domain.answer import HUMAN, Answer
from benchwright.domain.document import Document, View, whole
from benchwright.domain.item import Ending, Progress, Seed, discarded_ending, kept_ending
from benchwright.domain.opinion import Combination, Combine, Opinion, Policy, rule_on, standing_opinions
from benchwright.domain.source import About, Inputs, Sources
from benchwright.engine.plans import planner
from benchwright.people import Room
from benchwright.pipelines.base import Due, Expected, Role, Usual
from benchwright.pipelines.card import Card, Form, Input, Shown, Value, relevant
from benchwright.review import desk as moves
from benchwright.review import exchange, files
from benchwright.show.terminal import Terminal
from benchwright.store import documents, items, jobs
from benchwright.store.database import Connection, Database

NOW = "2026-01-02T03:04:05+00:00"
REASON = Input("reason", "Reason", Form.TEXT, required=False)
PAIR = (
    Shown("pair", "The pair", "the fever and the rains", subject=True),
    Shown("cited", "Cited", Quoted((2,))),
    Shown("votes", "Votes", ("red#1 says 2: so it is",), hidden=True),
)
OUTCOMES = (Value("win", "The first wins", "w"), Value("tie", "They tie", "t"), Value("lose", "It loses", "l"))
GRADE = Card("grade", "a", "Pair", PAIR, (Input("grade", "Grade", Form.NUMBER, most=3), REASON), "Grade it.")
MARK = replace(GRADE, combine=Combine(Combination.MEAN, bound=1), inputs=(replace(GRADE.inputs[0], most=100), REASON))
DUEL = Card(
    "compare",
    "a",
    "Answers",
    PAIR,
    tuple(Input(name, name.capitalize(), Form.VALUES, OUTCOMES) for name in ("facts", "style", "use")),
    "Compare them.",
    combine=Combine(Combination.MAJORITY),
)
LONG = Card(
    "write",
    "a",
    "Answer",
    PAIR,
    tuple(Input(f"part_{n}", f"Part {n}", Form.TEXT, required=n < 6) for n in range(8)),
    "Fill it in.",
)
CHOICE = Card(
    "decide",
    "a",
    "Thing",
    PAIR,
    (
        Input("decision", "Decision", Form.VALUES, (Value("keep", "Keep", "k"), Value("edit", "Edit", "e"))),
        Input("text", "The new wording", Form.TEXT, only_with=("decision", "edit"), column="wording", begins="so"),
        REASON,
    ),
    "Decide.",
)
ITEM = Card(
    "decide_item",
    "",
    "This item",
    (Shown("all", "All of it", "all of it", subject=True),),
    (
        Input("decision", "Decision", Form.VALUES, (Value("discard", "Discard", "x"), Value("praise", "Praise", "p"))),
        REASON,
    ),
    "Decide about the item.",
    unasked=True,
)


@dataclass(frozen=True)
class Sample:
    """A card, two things that one may fill in, and what is typed at a terminal for the first."""

    card: Card
    first: Mapping[str, str]
    other: Mapping[str, str]
    typed: Sequence[str]


SAMPLES = {
    "choice": Sample(
        CHOICE, {"decision": "edit", "text": "words\nof two"}, {"decision": "keep"}, ["e", "words\nof two"]
    ),
    "grade": Sample(GRADE, {"grade": "2", "reason": "=1+1"}, {"grade": "0"}, ["2 =1+1"]),
    "mark": Sample(MARK, {"grade": "70"}, {"grade": "20"}, ["f", "70", ""]),
    "duel": Sample(
        DUEL,
        {"facts": "win", "style": "tie", "use": "lose"},
        {"facts": "win", "style": "tie", "use": "win"},
        ["f", "w", "t", "lose"],
    ),
    "form": Sample(
        LONG,
        {f"part_{n}": f"text {n}, 'so'" for n in range(7)},
        {f"part_{n}": "quite another" for n in range(6)},
        ["f", *(f"text {n}, 'so'" for n in range(7)), ""],
    ),
}


class Things:
    """As much of a kind as a desk needs: the values that people gave are the item."""

    def write(self, body: Mapping[str, str]) -> dict[str, str]:
        return dict(body)


@dataclass(frozen=True)
class Forms(Usual):
    """A pipeline that owes one card about each item, and takes what anybody says about the item as a whole."""

    cards: tuple[Card, ...]
    policy: Policy
    name: str = "forms"
    question_step: str = ""
    agents: tuple[Agent, ...] = ()
    roles: tuple[Role, ...] = ()
    inputs: tuple[Inputs, ...] = (Inputs.DOCUMENTS,)
    phases: tuple[str, ...] = ("",)
    kind: Any = field(default_factory=Things)

    @property
    def people(self) -> tuple[Agent, ...]:
        return tuple(Agent(card.step, Card, answer_type(card)) for card in self.cards)

    def wanted_items(self, phase: str, sources: Sources) -> int:
        return len(sources)

    def shows(self, document: Document) -> View:
        return whole(document)

    def sources(self) -> Mapping[str, str]:
        return {}

    def admit(self, sources: Sources, progress: Progress) -> Sequence[Seed]:
        return ()

    def expect(self) -> Sequence[Expected]:
        return ()

    def begin(self, seed: Seed) -> tuple[Answer, ...]:
        return ()

    def fold(self, state: tuple[Answer, ...], answer: Answer) -> tuple[Answer, ...]:
        return tuple(sorted((*state, answer), key=lambda answer: (answer.step, answer.by)))

    def plan(self, state: tuple[Answer, ...]) -> Sequence[Due] | Ending:
        owed: list[Due] = []
        said: dict[str, Any] = {}
        for agent, card in zip(self.people, self.cards, strict=True):
            words = [answer for answer in state if answer.step == card.step]
            found = rule_on(standing_opinions(words), self.policy, card.combine)
            if card.unasked:
                if any(one.decision == "discard" for one in standing_opinions(words)):
                    return discarded_ending("discarded by people")
                continue
            given = sum(answer.value.get("decision") != "withdraw" for answer in words)
            owed += [Due(agent, None, HUMAN, card.about, run) for run in range(given, given + found.missing)]
            said |= {name: str(value) for name, value in found.holds.values.items()} if found.holds else {}
        return owed or kept_ending("kept", said)

    def body(self, state: tuple[Answer, ...]) -> Any | None:
        return None

    def card(self, state: tuple[Answer, ...], step: str, about: str) -> Card | None:
        return next((card for card in self.cards if (card.step, card.about) == (step, about)), None)


def answer_type(card: Card) -> type[BaseModel]:
    """What is recorded of a card."""
    fields: dict[str, Any] = {one.name: (str | int | None, "") for one in card.inputs}
    return create_model("Filled", __config__=ConfigDict(extra="forbid"), **fields)


@dataclass
class House:
    """Such a campaign in memory, of two items."""

    database: Database
    terms: exchange.Desk
    out: StringIO = field(default_factory=StringIO)

    async def entries(self, reviewer: str = "") -> list[exchange.Entry]:
        return await self.database.read(lambda c: exchange.entries(c, self.terms, reviewer))

    async def take(self, path: Path, by: str = "ada") -> list[exchange.Applied]:
        found: list[exchange.Applied] = []
        for group in exchange.by_item(files.read(path)):
            take = partial(exchange.take, rows=group, desk=self.terms, reviewer=by, now=NOW)
            found += await self.database.write(take)
        return found

    async def next(self, who: str) -> moves.Hand | None:
        take = partial(moves.next_card, desk=self.terms, person=f"human:{who}", now=1.0)
        return await self.database.write(take)

    async def say(self, who: str, name: str, given: Mapping[str, str]) -> None:
        said = Opinion(f"human:{who}", given)
        await self.database.write(partial(moves.decide, desk=self.terms, name=name, said=said, now=2.0, at=NOW))

    async def undo(self, who: str) -> str:
        return await self.database.write(partial(moves.undo, desk=self.terms, person=f"human:{who}", now=3.0, at=NOW))

    async def rows(self) -> list[items.Row]:
        return await self.database.read(lambda c: list(items.pages(c)))

    async def words(self, step: str) -> list[Answer]:
        def found(connection: Connection) -> list[Answer]:
            every = [answer for row in items.pages(connection) for answer in items.answers(connection, row.seq)]
            return [answer for answer in every if answer.step == step]

        return await self.database.read(found)

    async def terminal(self, who: str, *lines: str) -> str:
        """What the terminal shows to somebody who types these lines."""
        left = list(lines)
        console = Console(file=self.out, width=200)
        room = Room(self.database, self.terms, "forms", lambda: 5.0)
        await Terminal(room, who, console, lambda _: left.pop(0) if left else None).work()
        return self.out.getvalue()


@asynccontextmanager
async def house(*cards: Card, policy: Policy | None = None, about: About | None = None) -> AsyncIterator[House]:
    """A campaign whose items, of a document where nothing else is named, wait for people with these cards."""
    pipeline = Forms(cards, policy or Policy())
    source = document(1)

    def put(connection: Connection) -> None:
        documents.admit(connection, source, whole(source))
        for slot in range(2):
            items.add(connection, Seed(slot, 0, whole(source) if about is None else about))
        jobs.replan(connection, planner(pipeline))

    async with await Database.open(None, create=True) as database:
        await database.write(put)
        yield House(database, exchange.Desk(pipeline, pipeline.policy, planner(pipeline)))


def by_column(card: Card, given: Mapping[str, str]) -> dict[str, str]:
    """What is filled in, by the columns of files."""
    return {one.column_name: given[one.name] for one in card.inputs if one.name in given}


def write_filled(path: Path, form: str, entries: Sequence[exchange.Entry], given: Mapping[str, str]) -> None:
    """Write cards to a file of that form and fill each in, as a spreadsheet or a tool does."""
    if form not in {"label-studio", "argilla"}:
        files.write(path, [replace(entry, given=by_column(entry.card, given)) for entry in entries], form)
        return
    files.write(path, entries, form)
    found = json.loads(path.read_text("utf-8"))
    for record, entry in zip(found, entries, strict=True):
        values = by_column(entry.card, given)
        if form == "argilla":
            record["responses"] = {name: [{"value": text, "user_id": "ada"}] for name, text in values.items()}
        else:
            kinds = {one.column_name: kind_of(one) for one in entry.card.inputs}
            result = [
                {"from_name": name, "value": {kinds[name]: int(text) if kinds[name] == "number" else [text]}}
                for name, text in values.items()
            ]
            record["annotations"] = [{"completed_by": {"email": "ada"}, "result": result}]
    path.write_text(json.dumps(found), "utf-8")


def kind_of(one: Input) -> str:
    """The name under which Label Studio hands an input back."""
    if one.choices:
        return "choices"
    return "number" if one.form is Form.NUMBER else "text"


def recorded(card: Card, given: Mapping[str, str]) -> dict[str, object]:
    """What is on record of what was filled in."""
    values: dict[str, object] = {}
    for one in card.inputs:
        text = relevant(card, given).get(one.name, "")
        values[one.name] = (int(text) if text else None) if one.form is Form.NUMBER else text
    return values
