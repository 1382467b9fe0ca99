"""What waits for people: each part of an item that somebody owes an opinion on, with the card that shows it."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from benchwright.agents.base import Agent
from benchwright.domain.answer import HUMAN, Answer
from benchwright.domain.document import Document, Reading, Sentence, View, read_out
from benchwright.domain.item import Ending, ItemState
from benchwright.domain.opinion import (
    NAME_MOST,
    Opinion,
    Policy,
    Ruling,
    fold_name,
    is_name,
    may_say,
    rule_on,
    standing_opinions,
)
from benchwright.errors import UsageError
from benchwright.pipelines.base import Pipeline, state_of
from benchwright.pipelines.card import Card
from benchwright.store import doors, items, jobs, reviews, sources
from benchwright.store.database import Connection
from benchwright.store.reviews import Place, Word

MAKING = (ItemState.OPEN, ItemState.WAITING)  # the states of an item that has not ended


@dataclass(frozen=True, slots=True)
class Desk:
    """What deciding needs of a campaign: its pipeline, its policy, and the planner made of the pipeline."""

    pipeline: Pipeline
    policy: Policy
    plan: jobs.Planner

    @property
    def people(self) -> dict[str, Agent]:
        """The roles of people by name."""
        return {agent.name: agent for agent in self.pipeline.people}

    def person(self, name: str) -> str:
        """Who decides, as answers record it; `UsageError` for what is no name, or none of the campaign's reviewers."""
        person = person_of(name)
        if not self.policy.admits(fold_name(person)):
            message = (
                f"{name.strip()!r} is not among the reviewers of this campaign ([review] reviewers): add the name to"
                " the campaign file and run the campaign, or use one of these names"
            )
            raise UsageError(message)
        return person

    def place(self, part: "Part") -> Place:
        """Where a part stands in the store: under its own name in the first role, elsewhere with the role's before."""
        first = part.step == self.pipeline.people[0].name
        return part.seq, part.about if first else f"{part.step}/{part.about}"

    def part(self, place: Place) -> "Part":
        """The part that stands at a place."""
        step, _, about = place[1].rpartition("/")
        return Part(place[0], step or self.pipeline.people[0].name, about)


class Part(NamedTuple):
    """What an opinion is about: an item by its seq, in which role, which part of it."""

    seq: int
    step: str
    about: str


@dataclass(frozen=True)
class Folder:
    """An item with all that was said about it, and the cards that its pipeline makes of that."""

    desk: Desk
    row: items.Row
    answers: tuple[Answer, ...]

    @cached_property
    def state(self) -> Any:
        """The item as its pipeline knows it."""
        return state_of(self.desk.pipeline, self.row.seed, self.answers)

    @cached_property
    def keys_by_part(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """The keys of the tickets that people owe, by role and part."""
        owed = self.desk.pipeline.plan(self.state)
        found: dict[tuple[str, str], list[tuple[int, str]]] = {}
        for due in () if isinstance(owed, Ending) else owed:
            if due.to == HUMAN:
                found.setdefault((due.agent.name, due.about), []).append((due.run, due.key))
        return {part: tuple(key for _, key in sorted(runs)) for part, runs in found.items()}

    def card(self, step: str, about: str) -> Card | None:
        """The card of a part in a role."""
        return self.desk.pipeline.card(self.state, step, about)

    def find(self, name: str) -> Card | None:
        """The card of that name: a part's, which may stand behind its role's and a slash; "" for the whole item."""
        step, _, about = name.rpartition("/")
        steps = [step] if step else list(self.desk.people)
        return next(filter(None, (self.card(one, about) for one in steps)), None)

    def of_key(self, key: str) -> Card | None:
        """The card that files and pages call so."""
        item, _, part = key.partition("/")
        card = self.find(part) if item == self.row.id else None
        return card if card and key in {self.name(card), f"{item}/{card.step}/{card.about}"} else None

    def name(self, card: Card) -> str:
        """How files and pages name a card: the item's id, and its part's name, as `find` knows it."""
        found = self.find(card.about)
        part = card.about if found and found.step == card.step else f"{card.step}/{card.about}"
        return f"{self.row.id}/{part}" if part else self.row.id

    def answers_about(self, step: str, about: str) -> tuple[Answer, ...]:
        """What people said about a part in a role."""
        return tuple(answer for answer in self.answers if (answer.step, answer.about) == (step, about))

    def cards_of_item(self) -> Iterator[Card]:
        """The cards about the whole item that anybody may answer at any time."""
        cards = (self.card(step, "") for step in self.desk.people)
        yield from (card for card in cards if card and card.unasked)


@dataclass(frozen=True)
class Case:
    """A part of an item that `keys`, tickets, wait about, none where nobody is asked; its card, its document."""

    folder: Folder
    card: Card
    document: Document
    reading: Reading  # as the item's reader sees it

    @property
    def item(self) -> items.Row:
        """The item."""
        return self.folder.row

    @property
    def part(self) -> Part:
        """What it is about."""
        return Part(self.item.seq, self.card.step, self.card.about)

    @property
    def keys(self) -> tuple[str, ...]:
        """The tickets that wait about it; none where nobody is asked."""
        return self.folder.keys_by_part.get((self.card.step, self.card.about), ())

    @property
    def name(self) -> str:
        """How files and pages name it."""
        return self.folder.name(self.card)

    @property
    def policy(self) -> Policy:
        """How people review; one opinion is enough where nobody is asked for any."""
        policy = self.folder.desk.policy
        return replace(policy, opinions=1) if self.card.unasked else policy

    @property
    def answers(self) -> tuple[Answer, ...]:
        """All words of people about it."""
        return self.folder.answers_about(self.card.step, self.card.about)

    @property
    def opinions(self) -> tuple[Opinion, ...]:
        """The opinions that stand."""
        return standing_opinions(self.answers)

    @property
    def outcome(self) -> Ruling:
        """What they come to."""
        return rule_on(self.opinions, self.policy, self.card.combine)

    @property
    def conflict(self) -> bool:
        """Whether opinions differ, so that one more is asked for."""
        return self.outcome.conflict

    @property
    def takes_words(self) -> bool:
        """Whether an opinion is owed, or welcome at any time."""
        return bool(self.keys) or (self.card.unasked and self.item.state in MAKING)

    def free_for(self, person: str) -> bool:
        """Whether the next opinion can be this person's."""
        if self.card.unasked:
            return all(said.who != person for said in self.opinions)
        return may_say(person, self.opinions, self.policy, self.card.combine)

    @property
    def proposals(self) -> tuple[str, ...]:
        """Other wordings that differing opinions propose."""
        names = [one.name for one in self.card.inputs if one.begins]
        texts = [str(said.values.get(name, "")) for said in self.opinions for name in names if self.conflict]
        return tuple(dict.fromkeys(filter(None, texts)))


def folder(connection: Connection, desk: Desk, seq: int) -> Folder:
    """An item as people find it."""
    return Folder(desk, items.get(connection, seq), items.answers(connection, seq))


def waiting_parts(connection: Connection, desk: Desk) -> dict[Part, None]:
    """The parts that wait for people, oldest items first."""
    found: dict[Part, None] = {}
    for seq, key in jobs.in_queue(connection, HUMAN):
        step, about = key.split("/")[:2]
        if step in desk.people:
            found[Part(seq, step, about)] = None
    return found


def sections(document: Document, view: View) -> list[tuple[str, tuple[Sentence, ...]]]:
    """The titles of a view's sections, each with its sentences under the numbers by which they are cited."""
    numbered = iter(read_out(document, view).sentences)
    chosen = [document.sections[index] for index in view.sections]
    return [(part.title, tuple(next(numbered) for _ in part.sentences)) for part in chosen]


def cases(connection: Connection, desk: Desk, seq: int) -> Iterator[Case]:
    """What people owe an item."""
    found = folder(connection, desk, seq)
    if not found.keys_by_part:
        return
    seen = sources.of_item(connection, found.row.seed.about)
    for step, about in found.keys_by_part:
        if card := found.card(step, about):
            yield Case(found, card, *without_text(*seen, alone=card.alone))


def case(connection: Connection, desk: Desk, part: Part) -> Case | None:
    """A part with its card, whether people owe anything about it or not; None where there is no such card."""
    found = folder(connection, desk, part.seq)
    card = found.card(part.step, part.about)
    if card is None:
        return None
    seen = sources.of_item(connection, found.row.seed.about)
    return Case(found, card, *without_text(*seen, alone=card.alone))


def without_text(document: Document, reading: Reading, *, alone: bool) -> tuple[Document, Reading]:
    """What an item is made of, without its text where a card is to be seen alone: then no surface can show it."""
    if not alone:
        return document, reading
    return replace(document, text="", sections=()), replace(reading, text="", sentences=(), masked=())


def words(connection: Connection, desk: Desk) -> list[tuple[Part, Word]]:
    """All that people said, first to last, each with what it is about."""
    found = [word for step in desk.people for word in reviews.words(connection, step)]
    found.sort(key=lambda word: word.seq)
    return [(Part(word.place[0], word.answer.step, word.answer.about), word) for word in found]


def known_people(connection: Connection, desk: Desk, who: str) -> bool:
    """Whether somebody decides, or has decided, under a name."""
    inside = {fold_name(name) for name in doors.people(connection)}
    leased = {lease.who for lease in reviews.last_cards(connection)}
    spoken = {fold_name(word.answer.by.partition("#")[0]) for _, word in words(connection, desk)}
    return who in inside | leased | spoken


def person_of(reviewer: str) -> str:
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
    return f"{HUMAN}:{' '.join(name.split())}"
