"""What people see: a query that they may discard or reword, and a pair that they grade. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.agents.base import Quoted
from benchwright.agents.retrieval import review_query, settle_grade
from benchwright.agents.retrieval.wording import pointer
from benchwright.domain.opinion import CANNOT_SAY, DECISION, DISCARD, EDIT, KEEP, REASON, WORDING
from benchwright.domain.text import plain
from benchwright.pipelines.card import Card, Form, Input, Shown, Value
from benchwright.pipelines.retrieval.grading import PAIR
from benchwright.pipelines.retrieval.pairs import COMBINE, PairPhase, PairState
from benchwright.pipelines.retrieval.pooling import PoolPhase, PoolState
from benchwright.pipelines.retrieval.queries import QueryPhase, QueryState
from benchwright.pipelines.retrieval.settings import Setup

WORDING_MOST = 2000  # characters
NOTE = Input(REASON, "Reason", Form.TEXT, required=False)
KEEPS = (Value(KEEP, "Keep", "k"), Value(DISCARD, "Discard", "x"), Value(CANNOT_SAY, "Cannot say", "c"))
EDITS = (KEEPS[0], Value(EDIT, "Keep it in other words", "e"), *KEEPS[1:])


@dataclass(frozen=True, slots=True)
class Reworded:
    """The check of another wording of a query."""

    before: str

    def __call__(self, values: Mapping[str, Any]) -> str:
        """Why the wording cannot stand; "" where it can."""
        if values[DECISION] != EDIT:
            return ""
        text = str(values[WORDING])
        if plain(text) == plain(self.before):
            return "the new wording is the same as before: keep the query, or change something"
        if found := pointer(text):
            return f"the new wording says {found!r}, but who searches has no text yet: name the thing itself"
        return ""


def card(phase: Any, state: Any, step: str, about: str) -> Card | None:
    """The card of an item; None where it has none."""
    if step == review_query.agent.name and about == "":
        if isinstance(phase, QueryPhase):
            return of_query(phase, state)
        return of_repeat(phase, state) if isinstance(phase, PoolPhase) else None
    if step == settle_grade.agent.name and about == PAIR and isinstance(phase, PairPhase):
        return None if state.planted else of_pair(phase, state)
    return None


def of_query(phase: QueryPhase, state: QueryState) -> Card | None:
    """The card of a query, once one is written."""
    number = phase.last_round(state)
    if number is None:
        return None
    query, text = phase.texts(state, number)
    body = phase.body(state)
    assert body is not None  # noqa: S101 - a round that was written has one
    rewording = Input(
        WORDING,
        "The new wording",
        Form.TEXT,
        only_with=(DECISION, EDIT),
        most=WORDING_MOST,
        column="wording",
        begins=query,
    )
    return Card(
        step=review_query.agent.name,
        about="",
        title="Query",
        shown=(
            *facts(phase.setup, state.intent, body.event),
            Shown("query", "Query", query, subject=True),
            Shown("text", "Its relevant text", text),
            Shown("negatives", "Texts that are not relevant", tuple(body.negatives.values())),
            Shown("need", "The need behind it", body.needs[0]),
        ),
        inputs=(Input(DECISION, "Decision", Form.VALUES, EDITS), rewording, NOTE),
        rules=review_query.agent.prompt.rules,
        why=phase.why_people(state, number),
        check=Reworded(query),
    )


def of_repeat(phase: PoolPhase, state: PoolState) -> Card | None:
    """The card of a query that nearly repeats another."""
    if not (other := phase.repeated(state)):
        return None
    return Card(
        step=review_query.agent.name,
        about="",
        title="Query that repeats another",
        shown=(
            *facts(phase.setup, state.query.intent, state.query.event),
            Shown("query", "Query", state.query.query, subject=True),
            Shown("text", "Its relevant text", state.query.text),
            Shown("repeats", "It nearly repeats the query of the item", other[:10]),
        ),
        inputs=(Input(DECISION, "Decision", Form.VALUES, KEEPS), NOTE),
        alone=True,
        rules=review_query.agent.prompt.rules,
        why="another query says nearly the same",
    )


def of_pair(phase: PairPhase, state: PairState) -> Card:
    """The card of a pair: what the models say is hidden until the person has decided."""
    ask, intent = phase.question(state), phase.grading(state).intent
    text = Shown("passage", "Text", ask.text if isinstance(ask.text, Quoted) else (ask.text,), subject=True)
    return Card(
        step=settle_grade.agent.name,
        about=PAIR,
        title="Pair",
        shown=(
            Shown("intent", "The query is", ask.sort),
            Shown("query", "Query", ask.query, subject=True),
            text,
            Shown("levels", "Grades", ask.levels),
            Shown("grades", "The models say", ask.grades, hidden=True),
        ),
        inputs=(Input("grade", "Grade", Form.NUMBER, most=intent.most), NOTE),
        rules=settle_grade.agent.prompt.rules,
        why=ask.why,
        combine=COMBINE,
    )


def facts(setup: Setup, intent: str, event: str) -> tuple[Shown, ...]:
    """What a query is for and about."""
    return (
        Shown("intent", "The query is", setup.by_name[intent].table.query),
        Shown("event", "Event", event),
    )
