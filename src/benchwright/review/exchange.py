"""The human queue out to a file and the decisions in again, each row on its own; importing twice is importing once.

Neither the order of the rows nor that of two files from different people decides anything: rows are taken in the order
of their keys and names, and opinions that differ are kept, all of them, as a conflict.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import groupby

from benchwright.agents.base import shown
from benchwright.agents.choice import review_option
from benchwright.domain.answer import Answer
from benchwright.domain.ids import canonical
from benchwright.domain.item import ItemState
from benchwright.domain.opinion import CANNOT_SAY, EDIT, Opinion, Policy, opinion, ruling, signed, standing
from benchwright.errors import NotFound, UsageError
from benchwright.pipelines.base import Pipeline, so_far, state_of
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR, option_id
from benchwright.review.cases import STEP, Case, about_option, case, cases, demand_new_wording, named, waiting
from benchwright.review.sheet import Card, Row
from benchwright.store import items, jobs
from benchwright.store.database import Connection

__all__ = [
    "Applied",
    "Card",
    "Desk",
    "Outcome",
    "Row",
    "by_item",
    "cards",
    "in_order",
    "named",
    "take",
]

SMART = str.maketrans(
    "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u2013\u2014\u00a0", "''''\"\"\"\"'\"-- "
)


class Outcome(StrEnum):
    """What became of a row."""

    APPLIED = "applied"
    ALREADY = "already there"
    UNDECIDED = "undecided"
    CONFLICT = "conflict"  # someone, perhaps the same person, has decided otherwise
    OVER = "not waiting"  # nobody asks about this option any more, or not now
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Applied:
    """A row's outcome; `message` says why it is no `applied` and what to do."""

    line: int
    key: str
    outcome: Outcome
    message: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """What deciding needs of a campaign: its pipeline, its policy, and the planner made of the pipeline."""

    pipeline: Pipeline
    policy: Policy
    plan: jobs.Planner


# ----------------------------------------------------------------------------------------------------------- out


def cards(connection: Connection, desk: Desk, reviewer: str = "") -> list[Card]:
    """Every option that waits for people, or for this one, oldest items first."""
    found = [one for seq in waiting(connection) for one in cases(connection, desk.pipeline, desk.policy, seq)]
    return [card(one) for one in found if not reviewer or one.free_for(named(reviewer))]


def card(one: Case) -> Card:
    """The card of one option; votes are hidden where people are to decide blind."""
    ask = one.ask
    return Card(
        key=one.name,
        question=ask.question,
        option=ask.option,
        claim=ask.claim,
        evidence="\n".join(filter(None, (shown(ask.evidence, one.reading), shown(ask.source, one.reading)))),
        votes=() if one.policy.blind else ask.votes,
        others=ask.others,
        document=one.document.name,
        title=one.reading.title,
        item=one.item.id,
        option_id=one.about,
    )


# ------------------------------------------------------------------------------------------------------------ in


@dataclass(frozen=True, slots=True)
class Decision:
    """What a row says, once it is known to be sound: about an option of a stored item, by a named person."""

    row: Row
    option: str
    said: Opinion

    @property
    def place(self) -> tuple[str, str]:
        """Whose word about what it is."""
        return self.option, self.said.by


def by_item(rows: Iterable[Row]) -> list[list[Row]]:
    """The rows in groups, each about one item, in an order that is not the file's."""
    keyed = sorted(rows, key=lambda row: (row.key, row.line))
    return [list(group) for _, group in groupby(keyed, key=lambda row: row.key.partition("/")[0])]


def in_order(rows: Sequence[Row], found: Iterable[Applied]) -> list[Applied]:
    """What became of the rows, as they stand in their file."""
    places = {row.line: number for number, row in enumerate(rows)}
    return sorted(found, key=lambda one: places[one.line])


def take(connection: Connection, rows: Sequence[Row], desk: Desk, reviewer: str, now: str) -> list[Applied]:
    """Take in the rows about one item; `reviewer` is whose they are where they name nobody."""
    found, decisions = [], []
    for row in rows:
        try:
            if row.fault or not row.decision:
                outcome = Outcome.REFUSED if row.fault else Outcome.UNDECIDED
                found.append(Applied(row.line, row.key, outcome, row.fault))
            else:
                decisions.append(sound(connection, row, named(row.reviewer or reviewer)))
        except UsageError as error:
            found.append(Applied(row.line, row.key, Outcome.REFUSED, str(error)))
    if not decisions:
        return found
    item = items.find(connection, rows[0].key.partition("/")[0])
    given: defaultdict[tuple[str, str], list[Decision]] = defaultdict(list)
    for decision in decisions:
        given[decision.place].append(decision)
    for _, alike in sorted(given.items()):
        found += words(alike, partial(decide, connection, desk, item, now=now))
    return found


def words(alike: Sequence[Decision], decide: "partial[tuple[Outcome, str]]") -> list[Applied]:
    """Take in what one person says about one option in one file: once, or not at all where it is not one thing."""
    if len({decision.said.says for decision in alike}) > 1:
        lines = " and ".join(f"{decision.said.decision} on line {decision.row.line}" for decision in alike)
        message = f"{alike[0].said.by} says {lines}: leave one of them in the file"
        return [Applied(one.row.line, one.row.key, Outcome.CONFLICT, message) for one in alike]
    first, *more = alike
    told = [Applied(first.row.line, first.row.key, *decide(first))]
    again = f"line {first.row.line} says so too"
    return told + [Applied(one.row.line, one.row.key, Outcome.ALREADY, again) for one in more]


def sound(connection: Connection, row: Row, by: str) -> Decision:
    """The decision that a row holds; `UsageError` where it is about nothing here, or about another text."""
    name, _, option = row.key.partition("/")
    try:
        item = items.find(connection, name)
    except NotFound as error:
        raise UsageError(unknown(row.key)) from error
    text = texts(items.answers(connection, item.seq)).get(option)
    if item.id != name or text is None:
        raise UsageError(unknown(row.key))
    if row.option and not same(row.option, text):
        message = f"the file's option is {row.option!r}, the one asked about is {text!r}: decide on that, export again"
        raise UsageError(message)
    return Decision(row, option, Opinion(by, row.decision, row.reason, row.wording))


def unknown(key: str) -> str:
    """What to say of a key that is not ours."""
    return f"this campaign has no option {key!r}: is the file from another campaign? export again"


def texts(said: Iterable[Answer]) -> dict[str, str]:
    """The texts of all options that were written for an item, by id."""
    written = [
        option["text"]
        for answer in said
        for name in ("options", "conclusions")
        for option in answer.value.get(name, ())
    ]
    return {option_id(label, text): text for text in written for label in (CORRECT, DISTRACTOR)}


def same(given: str, text: str) -> bool:
    """Whether a text is ours, in spite of what spreadsheets do: blanks, quotes, dashes, TRUE, lost zeros."""
    one, other = (" ".join(unicodedata.normalize("NFC", side).translate(SMART).split()) for side in (given, text))
    if one == other or one.lower() == other.lower() in {"true", "false"}:
        return True
    try:
        return float(one) == float(other)
    except ValueError:
        return False


def decide(connection: Connection, desk: Desk, item: items.Row, decision: Decision, *, now: str) -> tuple[Outcome, str]:
    """Give an opinion, if it is owed or differs from what holds; what became of it. `item` is as the file found it."""
    answers = items.answers(connection, item.seq)
    about = about_option(answers, decision.option)
    owed = case(connection, desk.pipeline, desk.policy, (item.seq, decision.option))
    outcome, message = standing_of(decision.said, about, owed, desk.policy)
    if outcome is Outcome.OVER:
        return outcome, became(item, decision.option)
    ended = item.state not in {ItemState.OPEN, ItemState.WAITING}
    own = any(said.by == decision.said.by for said in standing(about))
    if outcome is Outcome.APPLIED or (outcome is Outcome.CONFLICT and not own and not ended):
        try:
            record(connection, desk, item.seq, decision, owed, now)
        except UsageError as error:
            return Outcome.REFUSED, str(error)
    if outcome is Outcome.CONFLICT and not own:
        message += ", and that stands: the item has ended" if ended else ": both are kept, as a conflict"
    return outcome, message


def standing_of(new: Opinion, about: Sequence[Answer], owed: Case | None, policy: Policy) -> tuple[Outcome, str]:
    """What is to become of an opinion, in view of what was said before."""
    opinions = standing(about)
    own = next((said for said in opinions if said.by == new.by), None)
    holds = own or ruling(opinions, policy).holds
    if holds and holds.says == new.says:
        return Outcome.ALREADY, f"{holds.by} said so before"
    if own and own.decision != CANNOT_SAY:
        message = f"{new.by} says {new.decision}, but {own.by} said {own.decision}, and that stands"
        return Outcome.CONFLICT, message
    if owed:
        if own or owed.free_for(new.by):
            return Outcome.APPLIED, ""
        whom = f"{policy.judge} settles conflicts, and they alone"
        return Outcome.REFUSED, f"{whom}: {'opinions differ here' if owed.conflict else 'there is none here'}"
    if holds:
        return Outcome.CONFLICT, f"{new.by} says {new.decision}, but {holds.by} said {holds.decision}"
    return Outcome.OVER, ""


def record(connection: Connection, desk: Desk, seq: int, decision: Decision, owed: Case | None, now: str) -> Answer:
    """Append an opinion under its signature, and go on with the item."""
    said, about = decision.said, about_option(items.answers(connection, seq), decision.option)
    if said.decision == EDIT:
        row = items.get(connection, seq)
        state = state_of(desk.pipeline, row.seed, items.answers(connection, seq))
        body = so_far(desk.pipeline, state) or {}
        demand_new_wording(said.text, decision.option, body["question"]["question"], body["options"])
    body = review_option.Answer.model_validate(
        {"decision": said.decision, "reason": said.reason, "text": said.text}
    ).model_dump()
    by = signed(said.by, sum(opinion(answer).by == said.by for answer in about))
    answer = Answer(STEP, decision.option, by, canonical(body))
    jobs.decide(connection, seq, owed.keys[0] if owed else "", answer, desk.plan, now)
    return answer


def became(item: items.Row, option: str) -> str:
    """What happened to an option that nobody asks about."""
    if item.state in {ItemState.OPEN, ItemState.WAITING}:
        return "people are not asked about it at present: if they are again after the next run, import again"
    options = {(one.get("replaces") or one)["id"]: one for one in (item.body or {}).get("options", ())}
    fate = f", this option: {options[option]['fate']}" if option in options else ""
    return f"its item has ended: {item.state} ({item.cause}){fate}"
