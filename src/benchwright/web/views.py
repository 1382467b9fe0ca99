"""What the pages show, as plain values: the templates only lay it out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.agents.base import Masked, Quoted
from benchwright.domain.call import Image
from benchwright.domain.document import Document, Reading, Sentence, View
from benchwright.domain.opinion import REASON, WORDING, Opinion
from benchwright.domain.source import Passage, view_of
from benchwright.pipelines.card import Card, Form, Input, Shown, Value, visible
from benchwright.review import desk as cards
from benchwright.review.cases import Case, Desk, case, sections
from benchwright.review.desk import Hand
from benchwright.review.progress import Progress
from benchwright.store.database import Connection

SHORT = 40  # characters
COLUMNS = 8  # different words of people that the page of progress counts one by one


@dataclass(frozen=True, slots=True)
class Part:
    """A section of a document, its sentences under the numbers by which they are cited."""

    title: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """What a card shows under a label: a text, lines, sentences, an image by its hash; masked sentences stand apart."""

    name: str
    label: str
    subject: bool
    text: str = ""
    lines: tuple[str, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    masked: tuple[Sentence, ...] = ()
    image: str = ""

    @property
    def short(self) -> bool:
        """Whether it fits beside its label."""
        return not self.subject and 0 < len(self.text) <= SHORT


@dataclass(frozen=True, slots=True)
class Blank:
    """An input as a form shows it, with what stands in it already; `key` leads into it."""

    name: str
    label: str
    kind: str  # pick, number or text
    values: tuple[Value, ...]
    least: int
    most: int
    needed: bool
    given: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Pick:
    """A value that decides, with the inputs that go with it."""

    value: Value
    blanks: tuple[Blank, ...]
    proposals: tuple[str, ...]
    given: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """The form of a card: `picks`, values of the `lead` that decide with one press, or else blanks and a button."""

    name: str
    lead: str
    picks: tuple[Pick, ...]
    blanks: tuple[Blank, ...]


@dataclass(frozen=True, slots=True)
class Saying:
    """An opinion in words."""

    by: str
    word: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Last:
    """A person's last decision that stands, with what was hidden before it."""

    subject: str
    word: str
    fields: tuple[Field, ...]
    opinions: tuple[Saying, ...]


def parts(document: Document, view: View) -> tuple[Part, ...]:
    """The sections that the item's reader sees."""
    return tuple(Part(title, sentences) for title, sentences in sections(document, view))


def names(found: Hand) -> tuple[str, ...]:
    """The names of the cards on a page, as forms bear them."""
    whole = found.whole
    return (found.case.name, *((found.case.folder.name(whole),) if whole else ()))


def card(found: Hand, typed: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """A card with the rules to decide by; what is to be hidden is not in it.

    `typed` is what the person has typed so far, by the names of the cards on the page.
    """
    case, whole = found.case, found.whole
    about, before = case.item.seed.about, found.draft.values if found.draft else {}
    fields = tuple(field(one, case.reading) for one in visible(case.card, decided=found.open))
    return {
        "title": case.card.title,
        "document": case.document.name,
        "heading": case.document.title,
        "sections": parts(case.document, view_of(about)) if isinstance(about, View | Passage) else (),
        "alone": case.card.alone,
        "source": "" if isinstance(about, View | Passage) else case.reading.text,
        "cited": {sentence.number for one in fields for sentence in one.sentences},
        "fields": fields,
        "open": found.open,
        "why": case.card.why,
        "opinions": tuple(map(saying, case.opinions)) if found.open else (),
        "conflict": case.conflict,
        "draft": found.draft,
        "sheet": sheet(case.card, case.name, {**before, **typed[case.name]}, case.proposals),
        "rules": case.card.rules.split("\n\n"),
        "whole": sheet(whole, case.folder.name(whole), typed[case.folder.name(whole)]) if whole else None,
        "lang": case.document.language,
        "whole_rules": whole.rules.split("\n\n") if whole else (),
        "whole_title": whole.title if whole else "",
    }


def field(one: Shown, reading: Reading) -> Field:
    """A field of a card."""
    content = one.content
    if isinstance(content, Quoted):
        cited = tuple(sentence for sentence in reading.sentences if sentence.number in content.numbers)
        return Field(one.name, one.label, one.subject, sentences=cited)
    if isinstance(content, Masked):
        return Field(one.name, one.label, one.subject, masked=content.select_sentences(reading.masked))
    if isinstance(content, Image):
        return Field(one.name, one.label, one.subject, image=content.hash)
    if isinstance(content, tuple):
        return Field(one.name, one.label, one.subject, lines=content)
    return Field(one.name, one.label, one.subject, text=content)


def sheet(found: Card, name: str, values: Mapping[str, Any], proposals: tuple[str, ...] = ()) -> Sheet:
    """The form of a card, with the values that a person has filled in before."""
    lead = found.lead
    together = [one for one in found.inputs if not (lead and (one is lead or one.only_with))]
    picks = []
    for value in lead.choices if lead else ():
        blanks = tuple(
            blank(one, values, proposals) for one in found.inputs_only_with(lead.name if lead else "", value.value)
        )
        given = bool(lead) and str(values.get(lead.name if lead else "")) == value.value
        picks.append(Pick(value, blanks, proposals if blanks else (), given or bool(blanks and proposals)))
    blanks = tuple(blank(one, values, (), "m" if one is found.note else "") for one in together)
    return Sheet(name, lead.name if lead else "", tuple(picks), blanks)


def blank(one: Input, values: Any, proposals: Sequence[str], key: str = "") -> Blank:
    """An input with what a person had filled in, or what is proposed."""
    kind = "pick" if one.choices else "number" if one.form is Form.NUMBER else "text"
    given = values.get(one.name)
    first = str(given) if given not in {"", None} else proposals[0] if proposals else one.begins
    needed = one.required and not one.only_with
    return Blank(one.name, one.label, kind, one.choices, one.least, one.most, needed, first, key)


def saying(said: Opinion) -> Saying:
    """An opinion in words."""
    texts = (str(value) for name, value in said.values.items() if name != REASON and " " in str(value).strip())
    text = said.values.get(WORDING) or "; ".join(texts)
    return Saying(said.by.partition(":")[2], said.brief.replace("_", " "), str(text), said.reason)


def last(connection: Connection, desk: Desk, person: str) -> Last | None:
    """What a person said last; None where nothing stands."""
    part = cards.latest(connection, desk, person)
    found = case(connection, desk, part) if part else None
    return of_person(found, person) if found else None


def of_person(found: Case, person: str) -> Last:
    """What a person said about a card, with what the card hides and what others said."""
    own = next(said for said in found.opinions if said.who == person)
    hidden = tuple(field(one, found.reading) for one in found.card.shown if one.hidden)
    others = tuple(saying(said) for said in found.opinions if said.who != person)
    subject = "; ".join(one.content for one in found.card.subjects if isinstance(one.content, str))
    return Last(subject or found.card.title, saying(own).word, hidden, others)


def figures(found: Progress) -> dict[str, Any]:
    """The figures that follow what others do."""
    total, mine = found.decided + found.waiting, found.mine + found.mine_left
    alpha = found.alpha
    measured = f"alpha {alpha.value:.2f}" if alpha.value is not None else f"alpha undefined: {alpha.reason}"
    agreement = f"agreement on {found.alike} of {found.pairs}" if found.pairs else ""
    return {
        "decided": found.decided,
        "waiting": found.waiting,
        "total": total,
        "mine": found.mine,
        "mine_total": mine,
        "texts": {
            "mine": f"You: {found.mine} of {mine}",
            "decided": f"all: {found.decided} of {total} decided",
            "agreement": agreement,
            "summary": f"{found.decided} of {total} cards decided, {found.waiting} wait. "
            + (
                f"Of cards with several opinions, {agreement}; {measured}. First words count, said before their people"
                " knew what others said."
                if agreement
                else "None has several opinions."
            )
            + (f" Opinions changed afterwards: {found.changed}." if found.changed else ""),
        },
    }


def table(found: Progress) -> dict[str, Any]:
    """Who said what how often: a column for each of the most frequent words, one for all others."""
    totals: Counter[str] = Counter()
    for one in found.reviewers:
        totals.update(one.decisions)
    names = [name for name, _ in totals.most_common(COLUMNS)]
    other = {one.name: one.total - sum(one.decisions.get(name, 0) for name in names) for one in found.reviewers}
    return {"words": names, "other": other if any(other.values()) else {}}
