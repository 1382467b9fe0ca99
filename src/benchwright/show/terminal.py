"""The review desk in a terminal: one card at a time, the keys of the browser's desk, each with Enter."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.text import Text

from benchwright.agents.base import Quoted
from benchwright.domain.opinion import Opinion
from benchwright.errors import UsageError
from benchwright.people import Room
from benchwright.pipelines.card import Card, Input, Shown, as_text, relevant, visible
from benchwright.review.cases import Case
from benchwright.review.desk import Hand
from benchwright.show.standing import indent
from benchwright.show.text import count_text, plain

NEAR = 2  # sentences on either side of a cited one
Ask = Callable[[str], str | None]  # a prompt in, a line out; None where nobody answers any more


@dataclass
class Terminal:
    """One person at a terminal."""

    room: Room
    person: str
    out: Console
    ask: Ask
    done: int = 0
    shown: str = ""  # the card that stands above the prompt

    async def work(self) -> int:
        """Show card after card until nothing is left or the person goes; how many more decisions stand."""
        while hand := await self.room.next(self.person):
            if hand.case.name != self.shown:
                progress = await self.room.progress()
                tail = f"\n{progress.decided} decided, {progress.waiting} wait. {keys(hand)}"
                self.out.print(draw_card(hand), plain(tail))
                self.shown = hand.case.name
            line = self.ask(f"{self.person}> ")
            if line is None or line.strip().lower() in {"q", "quit"}:
                break
            try:
                await self.move(hand, *line.strip().partition(" ")[::2])
            except UsageError as error:
                self.out.print(plain(str(error), "yellow"))
        else:
            self.out.print(plain("Nothing is left for you."))
        await self.room.leave(self.person)
        return self.done

    async def move(self, hand: Hand, key: str, rest: str) -> None:
        """Do what a line says."""
        case, key = hand.case, key.lower()
        if key == "s":
            await self.room.skip(self.person, case.name)
        elif key == "u":
            await self.room.undo(self.person)
            self.done, self.shown = self.done - 1, ""
            self.out.print(plain("taken back; the card again:"))
        elif key == "d":
            self.out.print(plain(case.reading.text))
        elif key == "h":
            self.out.print(plain(case.card.rules))
        elif key == "i" and hand.whole:
            await self.decide_whole(case, hand.whole)
        elif (given := self.answer(case.card, key, rest.strip())) is None:
            message = f"{key!r} is no key here: {keys(hand)}"
            raise UsageError(message)
        else:
            await self.say(case, case.card, given)
            if not hand.open:
                self.out.print(*fields(case, [one for one in case.card.shown if one.hidden]), plain(""))

    async def decide_whole(self, case: Case, card: Card) -> None:
        """Decide about the item that a card is of."""
        self.out.print(*fields(case, card.shown))
        key, _, rest = (self.ask(f"{card.title}: {picks(card)}; or nothing{note(card)}: ") or "").strip().partition(" ")
        if (given := self.answer(card, key.lower(), rest.strip())) is None:
            message = "nothing was said about the item" + (f": {key!r} is none of {picks(card)}" if key else "")
            raise UsageError(message)
        await self.say(case, card, given)
        self.shown = ""  # its question may have other words now
        self.out.print(plain("your decision about the item is on record; u takes it back"))

    async def say(self, case: Case, card: Card, given: dict[str, str]) -> None:
        """Record what was filled in on a card of that item."""
        await self.room.decide(case.folder.name(card), Opinion(self.room.person(self.person), given))
        self.done += 1

    def answer(self, card: Card, key: str, rest: str) -> dict[str, str] | None:
        """What a key and further questions come to; None for a key that means nothing on the card.

        What follows the key goes into the card's note.
        """
        given: dict[str, str] = {card.note.name: rest} if card.note and (rest or card.lead) else {}
        if card.lead:
            value = next((value.value for value in card.lead.choices if value.key == key), None)
            if value is None:
                return None
            given[card.lead.name] = value
        elif key != "f":
            return None
        for one in card.inputs:
            if one.name not in given and one.name in relevant(card, given):
                given[one.name] = self.ask_for(one, given)
        return given

    def ask_for(self, one: Input, given: dict[str, str]) -> str:
        """What is typed into an input: a value by its key or in full, a number, or a text."""
        offered = f" ({', '.join(pairs(one))})" if one.choices else ""
        before = f" of {one.begins!r}" if one.begins else ""
        text = (self.ask(f"{one.label.lower()}{before}{offered}: ") or "").strip()
        if not text and one.required:
            message = f"no {one.column_name}, no {given[one.only_with[0]] if one.only_with else 'decision'}"
            raise UsageError(message)
        return next((value.value for value in one.choices if value.key == text.lower()), text)


def pairs(one: Input) -> Iterator[str]:
    """The keys of an input, each with what it means."""
    for value in one.choices:
        yield value.key if value.key == value.value else f"{value.key} {value.value.replace('_', ' ')}"


def picks(card: Card) -> str:
    """The keys that decide."""
    return ", ".join(pairs(card.lead)) if card.lead else "f fill in"


def keys(hand: Hand) -> str:
    """All keys of a card."""
    card, whole = hand.case.card, "i this item, " if hand.whole else ""
    return f"{picks(card)}, s skip, u undo, d whole text, h how to decide, {whole}q quit{note(card)}"


def note(card: Card) -> str:
    """That a note may follow a key, with an example."""
    first = next(pairs(card.lead)).partition(" ")[0] if card.lead else "f"
    return f"; a {card.note.label.lower()} may follow: {first} so it is" if card.note else ""


def draw_card(hand: Hand) -> RenderableType:
    """A card."""
    case, shown = hand.case, visible(hand.case.card, decided=hand.open)
    parts: list[RenderableType] = [
        plain(f"\n{'─' * 60}\n{case.reading.title or case.document.name}", "dim"),
        indent(*context(case, shown)),
        *fields(case, [one for one in shown if not isinstance(one.content, Quoted)]),
    ]
    if case.conflict:
        parts.append(plain("opinions differ", "yellow"))
        parts += [plain(f"proposed: {wording}", "yellow") for wording in case.proposals]
    if hand.open:
        parts += [plain(f"you are asked because: {case.card.why}")] if case.card.why else []
        parts += [plain(f"{said.by} says {words(said)}") for said in case.opinions]
    if hand.draft:
        parts.append(plain(f"you had said: {words(hand.draft)}", "dim"))
    return Group(*parts)


def words(said: Opinion) -> str:
    """What an opinion says, with texts and reason."""
    texts = (str(value) for name, value in said.weight() if str(value) not in said.brief.split() and name != "decision")
    return " ".join(filter(None, (said.brief, *texts, said.reason)))


def fields(case: Case, shown: Sequence[Shown]) -> Iterator[RenderableType]:
    """What a card shows, each under its label."""
    for one in shown:
        yield plain(one.label, "bold")
        yield indent(plain(as_text(one.content, case.reading) or "none", "bold cyan" if one.subject else ""))


def context(case: Case, shown: Sequence[Shown]) -> list[Text]:
    """The cited sentences, in bold, and those around them."""
    cited = {number for one in shown if isinstance(one.content, Quoted) for number in one.content.numbers}
    near = {number + off for number in cited for off in range(-NEAR, NEAR + 1)}
    sentences = [one for one in case.reading.sentences if one.number in near]
    return [plain(f"[{one.number}] {one.text}", "bold yellow" if one.number in cited else "") for one in sentences]


def draw_end(done: int) -> RenderableType:
    """What was done."""
    return plain(f"{count_text(done, 'decision')} made")
