"""What waits for people: each option that somebody owes an opinion on, with all that one needs to form it."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from benchwright.agents.choice import review_option
from benchwright.domain.answer import HUMAN, Answer
from benchwright.domain.document import Document, Reading, read_out
from benchwright.domain.item import Verdict
from benchwright.domain.opinion import NAME_MOST, Opinion, Policy, is_name, may_say, ruling, standing
from benchwright.errors import UsageError
from benchwright.pipelines.base import Pipeline, so_far, state_of
from benchwright.pipelines.choice.gates import fallen
from benchwright.store import documents, items, jobs
from benchwright.store.database import Connection
from benchwright.store.reviews import Place

STEP = review_option.agent.name
GATES = {
    "placeholder": "says nothing that could be an answer",
    "duplicate": "says the same as another option",
    "in_stem": "only repeats the question",
}


@dataclass(frozen=True, slots=True)
class Case:
    """An option that `keys`, tickets, wait about; `said` are all words of people about it, `others` the item's options.

    `others` are as `so_far` tells them, this one included.
    """

    item: items.Row
    ask: review_option.Ask
    about: str
    keys: tuple[str, ...]
    said: tuple[Answer, ...]
    others: tuple[dict[str, Any], ...]
    document: Document
    policy: Policy

    @property
    def place(self) -> Place:
        """Where it stands in the store."""
        return self.item.seq, self.about

    @property
    def name(self) -> str:
        """How files and pages name it: the item's id, a slash, the option's id."""
        return f"{self.item.id}/{self.about}"

    @property
    def reading(self) -> Reading:
        """The document as the item's reader sees it."""
        return read_out(self.document, self.item.seed.view)

    @property
    def opinions(self) -> tuple[Opinion, ...]:
        """The opinions that stand."""
        return standing(self.said)

    @property
    def conflict(self) -> bool:
        """Whether opinions differ, so that one more is asked for."""
        return ruling(self.opinions, self.policy).conflict

    def free_for(self, person: str) -> bool:
        """Whether the next opinion can be this person's."""
        return may_say(person, self.opinions, self.policy)

    @property
    def proposals(self) -> tuple[str, ...]:
        """Other wordings that differing opinions propose."""
        return tuple(dict.fromkeys(said.text for said in self.opinions if said.text)) if self.conflict else ()


def waiting(connection: Connection) -> dict[int, tuple[str, ...]]:
    """The options that wait for people, by their items' seqs, oldest items first."""
    found: dict[int, dict[str, None]] = {}
    for seq, key in jobs.in_queue(connection, HUMAN):
        step, about = key.split("/")[:2]
        if step == STEP:
            found.setdefault(seq, {})[about] = None
    return {seq: tuple(options) for seq, options in found.items()}


def cases(connection: Connection, pipeline: Pipeline, policy: Policy, seq: int) -> Iterator[Case]:
    """What people owe an item."""
    row, answers = items.get(connection, seq), items.answers(connection, seq)
    state = state_of(pipeline, row.seed, answers)
    owed = pipeline.plan(state)
    dues = [] if isinstance(owed, Verdict) else [due for due in owed if (due.agent.name, due.to) == (STEP, HUMAN)]
    if not dues:
        return
    document, _ = documents.get(connection, row.seed.view.document)
    others = tuple((so_far(pipeline, state) or {}).get("options", ()))
    for about in dict.fromkeys(due.about for due in dues):
        alike = [due for due in dues if due.about == about]
        keys = tuple(due.key for due in sorted(alike, key=lambda due: due.run))
        said = about_option(answers, about)
        yield Case(row, alike[0].ask, about, keys, said, others, document, policy)


def rules(pipeline: Pipeline) -> str:
    """By what people decide about the options of a pipeline, in paragraphs."""
    return next(agent for agent in pipeline.agents if agent.name == STEP).prompt.rules


def case(connection: Connection, pipeline: Pipeline, policy: Policy, place: Place) -> Case | None:
    """What people owe about one option; None where nobody owes anything."""
    seq, about = place
    return next((one for one in cases(connection, pipeline, policy, seq) if one.about == about), None)


def about_option(answers: Iterable[Answer], about: str) -> tuple[Answer, ...]:
    """What people said about one option."""
    return tuple(answer for answer in answers if (answer.step, answer.about) == (STEP, about))


def named(reviewer: str) -> str:
    """Who decides, as answers record it; `UsageError` for what is no name."""
    name = unicodedata.normalize("NFC", reviewer.strip())
    if not name:
        message = "nobody is named: fill the column 'reviewer', or give a name with --by"
        raise UsageError(message)
    if not is_name(name):
        message = (
            f"{name[:NAME_MOST]!r} is no name: at most {NAME_MOST} characters, no slash, no #, no control characters"
        )
        raise UsageError(message)
    return f"{HUMAN}:{name}"


def demand_new_wording(text: str, about: str, stem: str, options: Iterable[dict[str, Any]]) -> None:
    """Raise `UsageError` for a wording that cannot stand in the place of an option's."""
    before = {option["id"] if not option["replaces"] else option["replaces"]["id"]: option for option in options}
    own = before[about]
    text_before = (own["replaces"] or own)["text"]
    if text.split() == text_before.split():
        message = "the new wording is the same as before: keep the option, or change something"
        raise UsageError(message)
    others = [option["text"] for name, option in before.items() if name != about and not option["gate"]]
    gate = fallen(text, [span["text"] for span in own["evidence"]], stem, others)
    if gate in GATES:
        message = f"the new wording {text!r} {GATES[gate]}: word it otherwise, or reject the option"
        raise UsageError(message)
    if re.search("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", text):
        message = "the new wording holds control characters or half a character: type it again"
        raise UsageError(message)
