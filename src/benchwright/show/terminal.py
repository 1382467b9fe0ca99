"""The review desk in a terminal: one card at a time, the keys of the browser's desk, each with Enter."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.text import Text

from benchwright.domain.opinion import CANNOT_SAY, EDIT, KEEP, REJECT, Opinion
from benchwright.errors import UsageError
from benchwright.people import Room
from benchwright.review.cases import Case, rules
from benchwright.review.desk import Card
from benchwright.show.standing import indented
from benchwright.show.text import counted, plain

NEAR = 2  # sentences on either side of a cited one
DECIDES = {"k": KEEP, "r": REJECT, "c": CANNOT_SAY}
KEYS = (
    "k keep, r reject, c cannot say, e edit, s skip, u undo, d document, h how to decide, q quit; "
    "a reason may follow: k so it is"
)
Ask = Callable[[str], str | None]  # a prompt in, a line out; None where nobody answers any more


@dataclass
class Terminal:
    """One person at a terminal."""

    room: Room
    person: str
    out: Console
    ask: Ask
    done: int = 0

    async def work(self) -> int:
        """Show card after card until nothing is left or the person goes; how many more decisions stand."""
        shown = ""
        while card := await self.room.next(self.person):
            if card.case.name != shown:
                progress = await self.room.progress()
                self.out.print(drawn(card), plain(f"\n{progress.decided} decided, {progress.waiting} wait. {KEYS}"))
                shown = card.case.name
            line = self.ask(f"{self.person}> ")
            if line is None or line.strip().lower() in {"q", "quit"}:
                break
            try:
                await self.move(card, *line.strip().partition(" ")[::2])
            except UsageError as error:
                self.out.print(plain(str(error), "yellow"))
        else:
            self.out.print(plain("Nothing is left for you."))
        await self.room.leave(self.person)
        return self.done

    async def move(self, card: Card, key: str, rest: str) -> None:
        """Do what a line says."""
        name, key = card.case.name, key.lower()
        if key in DECIDES:
            await self.say(card, DECIDES[key], rest.strip())
        elif key == "e":
            wording = (self.ask(f"new wording of {card.case.ask.option!r}: ") or "").strip()
            if not wording:
                message = "no wording, no edit"
                raise UsageError(message)
            await self.say(card, EDIT, rest.strip(), wording)
        elif key == "s":
            await self.room.skip(self.person, name)
        elif key == "u":
            await self.room.undo(self.person)
            self.done -= 1
            self.out.print(plain("taken back; the card again:"))
        elif key == "d":
            self.out.print(plain(card.case.reading.text))
        elif key == "h":
            self.out.print(plain(rules(self.room.desk.pipeline)))
        else:
            message = f"{key!r} is no key here: {KEYS}"
            raise UsageError(message)

    async def say(self, card: Card, decision: str, reason: str, text: str = "") -> None:
        """Decide, then show what had been hidden."""
        said = Opinion(f"human:{self.person}", decision, reason, text)
        await self.room.decide(card.case.name, said)
        self.done += 1
        if not card.open:
            self.out.print(*votes(told(card)), plain(""))


def drawn(card: Card) -> RenderableType:
    """A card."""
    case = card.case
    parts: list[RenderableType] = [
        plain(f"\n{'─' * 60}\n{case.reading.title or case.document.name}", "dim"),
        indented(*context(card)),
        plain("Question", "bold"),
        indented(plain(case.ask.question)),
        plain(f"Option, claims to be a {case.ask.claim}", "bold"),
        indented(plain(case.ask.option, "bold cyan")),
        *source(case),
        plain("The other options", "bold"),
        indented(*map(plain, case.ask.others or ("none",))),
    ]
    if case.conflict:
        parts.append(plain("opinions differ", "yellow"))
        parts += [plain(f"proposed: {wording}", "yellow") for wording in case.proposals]
    if card.open:
        parts += [plain(f"Votes: {case.ask.why}", "bold"), *votes(told(card))]
        parts += [plain(f"{said.by} says {said.decision}: {said.reason}") for said in case.opinions]
    if card.draft:
        parts.append(
            plain(f"you had said: {card.draft.decision} {card.draft.text} {card.draft.reason}".rstrip(), "dim")
        )
    return Group(*parts)


def context(card: Card) -> list[Text]:
    """The cited sentences, in bold, and those around them."""
    cited = set(card.case.ask.evidence.numbers)
    near = {number + off for number in cited for off in range(-NEAR, NEAR + 1)}
    sentences = [one for one in card.case.reading.sentences if one.number in near]
    return [plain(f"[{one.number}] {one.text}", "bold yellow" if one.number in cited else "") for one in sentences]


def source(case: Case) -> list[RenderableType]:
    """The masked sentences that a doubted conclusion was taken from."""
    found = case.ask.source.text(case.reading)
    return [plain("Taken from, hidden from everyone who answers", "bold"), indented(plain(found))] if found else []


def told(card: Card) -> Mapping[str, Any]:
    """The option as its item tells it."""
    return next(one for one in card.case.others if (one["replaces"] or one)["id"] == card.case.about)


def votes(option: Mapping[str, Any]) -> list[RenderableType]:
    """The votes on an option, with their reasons."""
    lines = [plain(f"{vote['by']} votes {vote['verdict']}: {vote['reason']}") for vote in option["votes"]]
    return [plain(f"{option['ratio']} votes confirm it", "bold"), indented(*lines)]


def ended(done: int) -> RenderableType:
    """What was done."""
    return plain(f"{counted(done, 'decision')} made")
