"""The human queue out to a file and the decisions in again, each row on its own; importing twice is importing once."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from operator import itemgetter

from benchwright.agents import review_option
from benchwright.agents.base import shown
from benchwright.domain.answer import Answer
from benchwright.domain.document import Reading, read_out
from benchwright.domain.ids import canonical
from benchwright.domain.item import ItemState, Verdict
from benchwright.domain.option import CORRECT, DISTRACTOR, option_id
from benchwright.errors import NotFound, UsageError
from benchwright.pipelines.base import HUMAN, Due, Pipeline
from benchwright.review.sheet import Card, Row, read, write
from benchwright.store import documents, items, jobs
from benchwright.store.database import Connection

__all__ = ["Applied", "Card", "Outcome", "Row", "apply", "cards", "read", "write"]

STEP = review_option.agent.name


class Outcome(StrEnum):
    """What became of a row."""

    APPLIED = "applied"
    ALREADY = "already there"
    UNDECIDED = "undecided"
    CONFLICT = "conflict"  # someone, perhaps the same person, has decided otherwise: nothing changed
    OVER = "not waiting"  # nobody asks about this option any more, or not now
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Applied:
    """A row's outcome; `message` says why it is no `applied` and what to do."""

    line: int
    key: str
    outcome: Outcome
    message: str = ""


# ----------------------------------------------------------------------------------------------------------- out


def cards(connection: Connection, pipeline: Pipeline) -> list[Card]:
    """Every option that waits for people, oldest items first."""
    found: list[Card] = []
    for seq, tickets in groupby(jobs.in_queue(connection, HUMAN), key=itemgetter(0)):
        row = items.get(connection, seq)
        owed = pipeline.plan(pipeline.fold(row.seed, items.answers(connection, seq)))
        dues = {} if isinstance(owed, Verdict) else {due.key: due for due in owed}
        document, _ = documents.get(connection, row.seed.view.document)
        reading = read_out(document, row.seed.view)
        found += [card(row.id, document.name, reading, dues[key]) for _, key in tickets if key in dues]
    return found


def card(item: str, document: str, reading: Reading, due: Due) -> Card:
    """The card of one option."""
    ask: review_option.Ask = due.ask
    return Card(
        key=f"{item}/{due.about}",
        question=ask.question,
        option=ask.option,
        claim=ask.claim,
        evidence=shown(ask.evidence, reading),
        votes=ask.votes,
        others=ask.others,
        document=document,
        title=reading.title,
        item=item,
        option_id=due.about,
    )


# ------------------------------------------------------------------------------------------------------------ in


@dataclass(frozen=True, slots=True)
class Decision:
    """What a row says, once it is known to be sound: about an option of a stored item, by a named person."""

    item: items.Row
    option: str
    answer: Answer
    said: tuple[Answer, ...]  # all that had been said about the item before


def apply(connection: Connection, row: Row, reviewer: str, plan: jobs.Planner, now: str) -> Applied:
    """Take one row in; `reviewer` is whose it is where the row names nobody. Changes nothing unless `applied`."""
    if row.fault:
        return Applied(row.line, row.key, Outcome.REFUSED, row.fault)
    if not row.decision:
        return Applied(row.line, row.key, Outcome.UNDECIDED)
    try:
        decision = sound(connection, row, named(row.reviewer or reviewer))
    except UsageError as error:
        return Applied(row.line, row.key, Outcome.REFUSED, str(error))
    outcome, message = standing(decision, plan)
    if outcome is Outcome.APPLIED:
        jobs.decide(connection, decision.item.seq, ticket(decision.option), decision.answer, plan, now)
    return Applied(row.line, row.key, outcome, message)


def named(reviewer: str) -> str:
    """Who decided, as answers record it; `UsageError` for what is no name."""
    name = unicodedata.normalize("NFC", reviewer.strip())
    if not name:
        message = "nobody is named: fill the column 'reviewer', or give a name with --by"
        raise UsageError(message)
    if "/" in name or not name.isprintable():
        message = f"{name!r} is no name: leave out slashes, line ends and control characters"
        raise UsageError(message)
    return f"{HUMAN}:{name}"


def sound(connection: Connection, row: Row, by: str) -> Decision:
    """The decision that a row holds; `UsageError` where it is about nothing here, or about another text."""
    name, _, option = row.key.partition("/")
    try:
        item = items.find(connection, name)
    except NotFound as error:
        raise UsageError(unknown(row.key)) from error
    said = items.answers(connection, item.seq)
    text = texts(said).get(option)
    if item.id != name or text is None:
        raise UsageError(unknown(row.key))
    if row.option and row.option.split() != text.split():
        message = f"the file's option is {row.option!r}, the one asked about is {text!r}: decide on that, export again"
        raise UsageError(message)
    body = review_option.Answer.model_validate({"decision": row.decision, "reason": row.reason})
    return Decision(item, option, Answer(STEP, option, by, canonical(body.model_dump())), said)


def unknown(key: str) -> str:
    """What to say of a key that is not ours."""
    return f"this campaign has no option {key!r}: is the file from another campaign? export again"


def texts(said: Iterable[Answer]) -> dict[str, str]:
    """The texts of all options that were written for an item, by id."""
    written = [option["text"] for answer in said for option in answer.value.get("options", ())]
    return {option_id(label, text): text for text in written for label in (CORRECT, DISTRACTOR)}


def standing(decision: Decision, plan: jobs.Planner) -> tuple[Outcome, str]:
    """What is to become of a decision, in view of what was said before."""
    new = decision.answer
    before = [answer for answer in decision.said if (answer.step, answer.about) == (STEP, new.about)]
    if before:
        old = min(before, key=lambda answer: answer.by != new.by)  # one's own word first
        if old.value["decision"] == new.value["decision"]:
            return Outcome.ALREADY, f"{old.by} said so before"
        message = f"{new.by} says {new.value['decision']}, but {old.by} said {old.value['decision']}, and that stands"
        return Outcome.CONFLICT, message
    if not asked(decision, plan):
        return Outcome.OVER, became(decision)
    return Outcome.APPLIED, ""


def asked(decision: Decision, plan: jobs.Planner) -> bool:
    """Whether people owe this decision."""
    owed = plan(decision.item.seed, decision.said)
    return not isinstance(owed, Verdict) and ticket(decision.option) in dict(owed)


def ticket(option: str) -> str:
    """The key under which people owe a decision about an option."""
    return Due(review_option.agent, None, HUMAN, option).key


def became(decision: Decision) -> str:
    """What happened to an option that nobody asks about."""
    item = decision.item
    if item.state in {ItemState.OPEN, ItemState.WAITING}:
        return "people are not asked about it at present: if they are again after the next run, import again"
    options = {option["id"]: option for option in (item.body or {}).get("options", ())}
    fate = f", this option: {options[decision.option]['fate']}" if decision.option in options else ""
    return f"its item has ended: {item.state} ({item.cause}){fate}"
