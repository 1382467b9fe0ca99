"""The human queue out to a file and the decisions in again, each row on its own; importing twice is importing once.

Neither the order of the rows nor that of two files from different people decides anything: rows are taken in the order
of their keys and names, and opinions that differ are kept, all of them, as a conflict.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import accumulate, groupby

from benchwright.agents.base import Quoted
from benchwright.domain.answer import Answer
from benchwright.domain.document import Sentence, View
from benchwright.domain.ids import canonical
from benchwright.domain.opinion import Opinion, author_of_word, fold_name, opinion
from benchwright.errors import NotFound, UsageError
from benchwright.pipelines.card import Card, Shown, as_text, fill_in, is_filled_in, visible
from benchwright.review.cases import (
    MAKING,
    Case,
    Desk,
    Folder,
    Part,
    case,
    cases,
    folder,
    person_of,
    sections,
    waiting_parts,
)
from benchwright.review.sheet import OLD, WHERE, Cell, Entry, Row, without_controls
from benchwright.store import items, jobs
from benchwright.store.database import Connection

__all__ = [
    "Applied",
    "Desk",
    "Entry",
    "Outcome",
    "Row",
    "by_item",
    "entries",
    "in_order",
    "person_of",
    "take",
]

CONTEXT = "context"  # the column with the document's text
CONTEXT_MOST = 30_000  # characters; a cell of Excel holds 32,767
SMART = str.maketrans(
    "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u2013\u2014\u00a0", "''''\"\"\"\"'\"-- "
)


class Outcome(StrEnum):
    """What became of a row."""

    APPLIED = "applied"
    ALREADY = "already there"
    UNDECIDED = "undecided"
    CONFLICT = "conflict"  # someone, perhaps the same person, has decided otherwise
    OVER = "not waiting"  # nobody asks about this card any more, or not now
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Applied:
    """A row's outcome; `message` says why it is no `applied` and what to do."""

    line: int
    key: str
    outcome: Outcome
    message: str = ""


# ----------------------------------------------------------------------------------------------------------- out


def entries(connection: Connection, desk: Desk, reviewer: str = "") -> list[Entry]:
    """Every card that waits for people, or for this one, oldest items first."""
    seqs = dict.fromkeys(part.seq for part in waiting_parts(connection, desk))
    found = [one for seq in seqs for one in cases(connection, desk, seq)]
    return [entry(one) for one in found if not reviewer or one.free_for(fold_name(desk.person(reviewer)))]


def entry(one: Case) -> Entry:
    """A card as files show it, with the part of the document that the rules say to read.

    What is hidden stays so where people are to decide blind.
    """
    around = context(one)
    names = {field.name for field in one.card.shown}
    more = (Shown(CONTEXT, "From the document", around),) if around and CONTEXT not in names else ()
    whole = replace(one, card=replace(one.card, shown=(*one.card.shown, *more)))
    return Entry(one.name, whole.card, cells(whole, decided=not one.policy.blind))


def context(one: Case) -> str:
    """The sections of which the card cites a sentence; the whole text where it cites none, or is of no document.

    "" where the card shows that text anyway. Of a long text the sentences nearest to the cited ones are left.
    """
    about = one.item.seed.about
    cited = {n for field in one.card.shown if isinstance(field.content, Quoted) for n in field.content.numbers}
    parts = sections(one.document, about) if isinstance(about, View) else []
    chosen = [part for part in parts if cited & {sentence.number for sentence in part[1]}] or parts
    if not chosen:
        text = one.reading.text
        return "" if any(field.content == text for field in one.card.shown) else text[:CONTEXT_MOST]
    sentences = [sentence for _, found in chosen for sentence in found]
    near = sorted(sentences, key=lambda one: min((abs(one.number - n) for n in cited), default=one.number))
    sizes = accumulate(len(sentence.text) + len(f"[{sentence.number}] ") + 1 for sentence in near)
    kept = {sentence.number for sentence, size in zip(near, sizes, strict=True) if size <= CONTEXT_MOST}
    return "\n".join(line for title, found in chosen for line in section_lines(title, found, kept))


def section_lines(title: str, sentences: Sequence[Sentence], kept: Container[int]) -> Iterator[str]:
    """A section's title and its sentences; where some are left out, a line says so."""
    yield from [f"## {title}"] if title else []
    for left, group in groupby(sentences, key=lambda sentence: sentence.number in kept):
        yield from (f"[{one.number}] {one.text}" for one in group) if left else ["[...]"]


def cells(one: Case, *, decided: bool) -> dict[str, Cell]:
    """What a card shows by columns, and where it comes from."""
    where = {
        "document": one.document.name,
        "title": one.reading.title,
        "item": one.item.id,
        "about": one.card.about,
    }
    shown = visible(one.card, decided=decided)
    fields: dict[str, Cell] = {
        field.name: field.content if isinstance(field.content, tuple) else as_text(field.content, one.reading)
        for field in shown
    }
    return {**fields, **{name: value for name, value in where.items() if name not in fields}}


def rules_of(connection: Connection, desk: Desk, found: Iterable[Entry]) -> str:
    """By what people decide about these cards, and about the items that they are of, in paragraphs."""
    cards = [entry.card for entry in found]
    for part in waiting_parts(connection, desk):
        cards += folder(connection, desk, part.seq).cards_of_item()
        break
    return "\n\n".join(dict.fromkeys(card.rules for card in cards))


# ------------------------------------------------------------------------------------------------------------ in


@dataclass(frozen=True, slots=True)
class Decision:
    """What a row says, once it is known to be sound: about a part of a stored item, by a named person."""

    row: Row
    part: Part
    said: Opinion
    weight: tuple[tuple[str, object], ...]

    @property
    def place(self) -> tuple[Part, str]:
        """Whose word about what it is."""
        return self.part, self.said.who


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
    name = rows[0].key.partition("/")[0]
    try:
        found = folder(connection, desk, items.find(connection, name).seq)
    except NotFound:
        found = None
    applied, given = [], defaultdict(list)
    for row in rows:
        try:
            decision = sound(found, row, reviewer)
        except UsageError as error:
            applied.append(Applied(row.line, row.key, Outcome.REFUSED, str(error)))
        else:
            if decision is None:
                applied.append(Applied(row.line, row.key, Outcome.UNDECIDED))
            else:
                given[decision.place].append(decision)
    for _, alike in sorted(given.items()):
        applied += words(alike, partial(decide, connection, desk, now=now))
    return applied


def words(alike: Sequence[Decision], decide: "partial[tuple[Outcome, str]]") -> list[Applied]:
    """Take in what one person says about one part in one file: once, or not at all where it is not one thing."""
    if len({decision.weight for decision in alike}) > 1:
        lines = " and ".join(f"{decision.said.brief} on line {decision.row.line}" for decision in alike)
        message = f"{alike[0].said.person} says {lines}: leave one of them in the file"
        return [Applied(one.row.line, one.row.key, Outcome.CONFLICT, message) for one in alike]
    first, *more = alike
    outcome, message = decide(first)
    again = f"line {first.row.line} says so too"
    return [
        Applied(first.row.line, first.row.key, outcome, message),
        *(Applied(one.row.line, one.row.key, Outcome.ALREADY, again) for one in more),
    ]


def sound(found: Folder | None, row: Row, reviewer: str) -> Decision | None:
    """The decision that a row holds, None where nothing is filled in.

    Raises `UsageError` where it is about nothing here, or about another text, or cannot be read.
    """
    if row.fault:
        raise UsageError(row.fault)
    card = found.of_key(row.key) if found else None
    if found is None or card is None:
        if not row.has_entry(OLD):
            return None
        raise UsageError(why_no_card(found, row.key))
    given = row.texts(card.inputs)
    demand_own_columns(row, card)
    demand_typed(row, card)
    if not is_filled_in(card, given):
        return None
    demand_same_subject(row, card)
    said = Opinion(found.desk.person(row.reviewer or reviewer), fill_in(card, given))
    return Decision(row, Part(found.row.seq, card.step, card.about), said, said.weight(card.combine.over))


def why_no_card(found: Folder | None, key: str) -> str:
    """Why there is no card of that key, and what to do."""
    if found and key == found.row.id:
        return f"nobody can decide on the item {key[:10]} as a whole here: copy the key of one of its cards"
    return f"this campaign has no card {key!r}: is the file from another campaign? export again"


def demand_own_columns(row: Row, card: Card) -> None:
    """Raise `UsageError` where something is filled in that other cards of the file ask for, and this one does not."""
    own = {one.column_name for one in card.inputs} | {one.name for one in card.shown} | {*WHERE, CONTEXT}
    if strange := [name for name in row.asks if name not in own and row.given[name].strip()]:
        message = f"this card does not ask for {strange[0]!r}: leave that empty"
        raise UsageError(message)


def demand_typed(row: Row, card: Card) -> None:
    """Raise `UsageError` where a spreadsheet has made something else of what was filled in."""
    if changed := [one.column_name for one in card.inputs if one.column_name in row.changed]:
        name = changed[0]
        message = (
            f"the spreadsheet has made {row.given[name]!r} of {name!r}: format that cell as text, and type it again"
        )
        raise UsageError(message)


def demand_same_subject(row: Row, card: Card) -> None:
    """Raise `UsageError` where the file shows another subject than is asked about now."""
    for field in card.subjects:
        given, text = row.given.get(field.name, ""), field.content
        if isinstance(text, str) and given and not same(given, text):
            message = (
                f"the file's {field.name} is {given!r}, the one asked about is {text!r}: decide on that, export again"
            )
            raise UsageError(message)


def same(given: str, text: str) -> bool:
    """Whether a text is ours, in spite of what spreadsheets do: lost blanks and zeros, quotes, dashes, TRUE."""
    sides = (without_controls(unicodedata.normalize("NFC", side)).translate(SMART) for side in (given, text))
    one, other = ("".join(side.split()) for side in sides)
    if one == other or one.lower() == other.lower() in {"true", "false"}:
        return True
    try:
        return float(one) == float(other)
    except ValueError:
        return False


def decide(connection: Connection, desk: Desk, decision: Decision, *, now: str) -> tuple[Outcome, str]:
    """Give an opinion, if it is wanted or differs from what holds; what became of it."""
    found = case(connection, desk, decision.part)
    if found is None:  # an answer of this very file has taken the part away
        return Outcome.OVER, "nobody asks about it any more"
    outcome, message = fate_of(decision.said, found)
    if outcome is Outcome.OVER:
        return outcome, became(found)
    ended = found.item.state not in MAKING
    own = any(said.who == decision.said.who for said in found.opinions)
    if outcome is Outcome.APPLIED or (outcome is Outcome.CONFLICT and not own and not ended):
        try:
            record(connection, found, decision.said, now)
        except UsageError as error:
            return Outcome.REFUSED, str(error)
    if outcome is Outcome.CONFLICT and not own:
        message += ", and that stands: the item has ended" if ended else ": both are kept, as a conflict"
    return outcome, message


def fate_of(new: Opinion, found: Case) -> tuple[Outcome, str]:
    """What is to become of an opinion, in view of what was said before."""
    over, policy = found.card.combine.over, found.policy
    own = next((said for said in found.opinions if said.who == new.who), None)
    holds = own or found.outcome.holds
    if holds and holds.weight(over) == new.weight(over):
        return Outcome.ALREADY, f"{holds.person} said so before" if holds.by else "that is what others came to"
    if own and not own.abstains:
        message = f"{new.person} says {new.brief}, but {own.person} said {own.brief}, and that stands"
        return Outcome.CONFLICT, message
    if found.takes_words:
        if own or found.free_for(new.who):
            return Outcome.APPLIED, ""
        differ = f"opinions differ here, and only {policy.adjudicator} settles conflicts"
        agree = f"{policy.adjudicator} only settles conflicts, and there is none here"
        return Outcome.REFUSED, differ if found.conflict else agree
    if holds:
        whose = f"{holds.person} said" if holds.by else "others came to"
        return Outcome.CONFLICT, f"{new.person} says {new.brief}, but {whose} {holds.brief}"
    return Outcome.OVER, ""


def record(connection: Connection, found: Case, said: Opinion, now: str) -> Answer:
    """Append an opinion under its signature, and go on with the item; `UsageError` where its values cannot stand."""
    card, desk = found.card, found.folder.desk
    if fault := card.check(said.values):
        raise UsageError(fault)
    body = desk.people[card.step].Answer.model_validate(dict(said.values)).model_dump(mode="json")
    by = author_of_word(said.by, sum(opinion(answer).who == said.who for answer in found.answers))
    answer = Answer(card.step, card.about, by, canonical(body))
    jobs.decide(connection, found.item.seq, found.keys[0] if found.keys else "", answer, desk.plan, now)
    return answer


def became(found: Case) -> str:
    """What happened to a card that nobody asks about."""
    item, card = found.item, found.card
    if item.state in MAKING:
        return "people are not asked about it at present: if they are again after the next run, import again"
    fate = f", this {card.title.lower()}: {card.fate}" if card.fate else ""
    return f"its item has ended: {item.state} ({item.cause}){fate}"
