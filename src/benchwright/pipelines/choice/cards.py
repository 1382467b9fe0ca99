"""The cards of items with options: of the question, of each option, and of the item as a whole. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.agents.base import NOTHING_MASKED, Agent, Quoted
from benchwright.agents.choice import review_item, review_stem
from benchwright.agents.choice.wording import demand_one_question, demand_unpointed
from benchwright.domain.opinion import CANNOT_SAY, DECISION, DISCARD, EDIT, KEEP, REASON, REJECT, WORDING
from benchwright.domain.vote import Route
from benchwright.errors import BadReply
from benchwright.pipelines.card import Card, Form, Input, Shown, Value
from benchwright.pipelines.choice.comparing import THING
from benchwright.pipelines.choice.deciding import Deciding, Manner
from benchwright.pipelines.choice.gates import failed_gate
from benchwright.pipelines.choice.item_state import Draft
from benchwright.pipelines.choice.standing import OptionState, word
from benchwright.pipelines.choice.stems import STEM

WORDING_MOST = 2000  # characters
SAME = "the new wording is the same as before"
GATES = {
    "placeholder": "says nothing that could be an answer",
    "duplicate": "says the same as another option",
    "in_stem": "only repeats the question",
}
DECISIONS = (
    Value(KEEP, "Keep", "k"),
    Value(REJECT, "Reject", "r"),
    Value(EDIT, "Keep it in other words", "e"),
    Value(CANNOT_SAY, "Cannot say", "c"),
)
STEM_DECISIONS = (
    Value(KEEP, "Keep the question", "k"),
    Value(EDIT, "Keep it in other words", "e"),
    Value(DISCARD, "Discard the item", "x"),
    Value(CANNOT_SAY, "Cannot say", "c"),
)
ITEM_DECISIONS = (Value(EDIT, "Keep it with another question", "e"), Value(DISCARD, "Discard the item", "x"))


def decision(values: tuple[Value, ...], before: str) -> tuple[Input, ...]:
    """The inputs of a decision, which may be another wording of what read so `before`."""
    return (
        Input(DECISION, "Decision", Form.VALUES, values),
        Input(
            WORDING,
            "The new wording",
            Form.TEXT,
            only_with=(DECISION, EDIT),
            most=WORDING_MOST,
            column="wording",
            begins=before,
        ),
        Input(REASON, "Reason", Form.TEXT, required=False),
    )


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards of one item; `reviewer` is the role that decides about options, a `bare` question points at nothing.

    `topic` is what its question is to be about.
    """

    deciding: Deciding
    draft: Draft
    manner: Manner
    reviewer: Agent
    topic: str
    bare: bool = True

    def card(self, step: str, about: str) -> Card | None:
        """The card of an option, or of the item as a whole once it has a question."""
        if (step, about) == (review_item.agent.name, ""):
            return self.of_item() if self.draft.question else None
        if (step, about) == (review_stem.agent.name, STEM):
            return self.of_stem()
        standings = self.deciding.standings(self.draft, self.manner)
        found = next((s for s in standings if (step, s.option.id) == (self.reviewer.name, about)), None)
        return self.of_option(found, standings) if found else None

    def of_stem(self) -> Card | None:
        """The card of the question, once checkers are asked about it."""
        state, topic = self.deciding.stems.state(self.draft), self.topic
        if state is None or not self.draft.question:
            return None
        ask, count = self.deciding.stems.review(self.draft, state, topic), state.poll.counts[THING].tally
        return Card(
            step=review_stem.agent.name,
            about=STEM,
            title="Question",
            shown=(
                Shown("question", "Question", ask.question, subject=True),
                Shown("topic", "It is to be about", ask.topic),
                Shown("how", "It is answered", ask.how),
                Shown("evidence", "Its writer cites", ask.evidence),
                Shown("ratio", "Votes that find it sound", f"{count.keep}/{count.cast}", hidden=True),
                Shown("votes", "Votes", ask.votes, hidden=True),
            ),
            inputs=decision(STEM_DECISIONS, ask.question),
            rules=review_stem.agent.prompt.rules,
            why=ask.why,
            check=Question(ask.question, self.bare),
            notes=(("route", word(state.route) or ""), ("audited", "yes" if state.audited else "no")),
            fate=state.fate if state.fate in {Route.KEEP, Route.REJECT} else "",
        )

    def of_option(self, standing: OptionState, standings: Sequence[OptionState]) -> Card:
        """The card of one option."""
        ask = self.deciding.review(self.draft, self.manner, standing, standings)
        option, ratio = standing.option, f"{standing.count.keep}/{standing.count.cast}"
        reworded = self.deciding.new_wording(self.draft)
        people = [Shown("reworded", "Question, as people worded it", reworded.text)] if reworded else []
        masked = Shown("source", "Taken from, hidden from everyone who answers", ask.source)
        return Card(
            step=self.reviewer.name,
            about=option.id,
            title="Option",
            shown=(
                Shown("question", "Question", ask.question),
                *people,
                Shown("option", "Option", ask.option, subject=True),
                Shown("claim", "It claims to be a", ask.claim),
                Shown("evidence", "Its writer cites", ask.evidence),
                *((masked,) if ask.source != NOTHING_MASKED else ()),
                Shown("others", "The other options", ask.others),
                Shown("ratio", "Votes that confirm it", ratio, hidden=True),
                Shown("votes", "Votes", ask.votes, hidden=True),
            ),
            inputs=decision(DECISIONS, ask.option),
            rules=self.reviewer.prompt.rules,
            why=ask.why,
            check=Wording(ask.question, standing, tuple(s for s in standings if s.option.id != option.id)),
            notes=(("route", word(standing.route) or ""), ("audited", "yes" if standing.audited else "no")),
            fate=standing.fate if standing.fate in {Route.KEEP, Route.REJECT} else "",
        )

    def of_item(self) -> Card:
        """The card of the item as a whole."""
        standings = self.deciding.standings(self.draft, self.manner)
        texts = tuple(s.text for s in standings if not s.option.gate)
        return Card(
            step=review_item.agent.name,
            about="",
            title="This item",
            shown=(
                Shown("question", "Question", self.draft.stem, subject=True),
                Shown("options", "Its options", texts),
                Shown("evidence", "Cited for the question", Quoted(self.draft.pieces)),
            ),
            inputs=decision(ITEM_DECISIONS, self.draft.stem),
            rules=review_item.agent.prompt.rules,
            check=Question(self.draft.stem, self.bare),
            unasked=True,
        )


@dataclass(frozen=True, slots=True)
class Wording:
    """The check of another wording: it passes the gates that the writer's has passed."""

    question: str
    standing: OptionState
    others: tuple[OptionState, ...]

    def __call__(self, values: Mapping[str, Any]) -> str:
        """Why the wording cannot stand; "" where it can."""
        text, option = str(values[WORDING]), self.standing.option
        if values[DECISION] != EDIT:
            return ""
        if text.split() == option.text.split():
            return f"{SAME}: keep the option, or change something"
        others = [other.text for other in self.others if not other.option.gate]
        gate = failed_gate(text, [span["text"] for span in option.evidence], self.question, others)
        return (
            f"the new wording {text!r} {GATES[gate]}: word it otherwise, or reject the option" if gate in GATES else ""
        )


@dataclass(frozen=True, slots=True)
class Question:
    """The check of a decision about an item: a reason to discard it, or a question as writers have to word it."""

    before: str
    bare: bool

    def __call__(self, values: Mapping[str, Any]) -> str:
        """Why the decision cannot stand; "" where it can."""
        if values[DECISION] == DISCARD:
            return "" if values[REASON] else "to discard an item takes a reason: say why"
        if values[DECISION] != EDIT:
            return ""
        text = str(values[WORDING])
        if text.split() == self.before.split():
            return f"{SAME}: change something, or leave the item as it is"
        try:
            demand_one_question(text)
            if self.bare:
                demand_unpointed(text)
        except BadReply as error:
            return str(error)
        return ""
