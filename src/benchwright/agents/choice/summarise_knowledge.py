"""Put facts of knowledge graphs into compact neutral statements (EpiQAL-B, appendix A.3), each traceable to its facts.

What it says is given to writers only. Code holds it to its facts: a statement has the names of the facts it cites, and
no word that neither these facts nor a short list of plain English words has.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent, own_schema
from benchwright.agents.text import Numbers
from benchwright.domain.knowledge import Entity, Fact, form
from benchwright.domain.text import plain, within
from benchwright.errors import BadReply

LONGEST = 500  # characters of a statement
STEM = 4  # letters at least that a word shares with one of a relation: treats, treated, treatment
# What a statement may say beside its facts: words that join or say what kind a thing is. None denies, compares, counts,
# explains or relates: the relation's own words do that.
PLAIN_WORDS = frozenset(
    form(
        "a according also an and are as at be been both by can case country date death described did disease drug "
        "each either event for from gene had has have having in infection is it its known list listed medicine name "
        "named namely occur occurred of on one or organ other person place record recorded region report reported "
        "respectively same sign stated such symptom that the their them these they this those to together was were "
        "when where which while with year"
    ).split()
)


@dataclass(frozen=True, slots=True)
class Numbered:
    """A fact under the number that this one question gives it."""

    number: int
    fact: Fact

    def __str__(self) -> str:
        """The line that the model sees."""
        return f"{self.number}. {self.fact}"


@dataclass(frozen=True, slots=True)
class Ask:
    """The facts to be told, as far as they matter for `topic`."""

    facts: tuple[Numbered, ...]
    topic: str


class Statement(BaseModel):
    """The facts it tells, by number, and how."""

    model_config = ConfigDict(extra="forbid")

    facts: Numbers
    statement: Annotated[str, Field(json_schema_extra={"minLength": 1, "maxLength": LONGEST})]


class Answer(BaseModel):
    """All statements; facts that say nothing for the topic may be left out."""

    model_config = ConfigDict(extra="forbid")

    statements: Annotated[list[Statement], Field(min_length=1)]


def number_facts(facts: Iterable[Fact]) -> tuple[Numbered, ...]:
    """Facts under numbers in their order."""
    return tuple(Numbered(number, fact) for number, fact in enumerate(facts, 1))


def check(ask: Ask, answer: Answer) -> None:
    """Every statement cites facts of the list, has their names, and says nothing else."""
    known = {one.number: one.fact for one in ask.facts}
    faults = [fault for statement in answer.statements for fault in faults_of(statement, known)]
    if faults:
        raise BadReply("; ".join(faults))


def faults_of(statement: Statement, known: dict[int, Fact]) -> Iterator[str]:
    """What is wrong with one statement, and what to do."""
    said = " ".join(statement.statement.split())
    strange = [number for number in statement.facts if number not in known]
    if strange or not said:
        yield f"{said[:60]!r} cites {strange or 'nothing'}: cite facts by their numbers, 1 to {len(known)}"
        return
    facts = [known[number] for number in statement.facts]
    missing = [end.name for fact in facts for end in fact.ends if not names_entity(end, said)]
    if missing:
        yield f"{said[:60]!r} does not name {', '.join(dict.fromkeys(missing))}: use the names as given, or cite less"
    if added := unfounded_words(said, facts):
        yield f"{said[:60]!r} says {', '.join(added)}, which its facts do not: use their names and relations alone"


def names_entity(entity: Entity, said: str) -> bool:
    """Whether the statement names the entity, by any of its names."""
    return any(within(form(name), form(said)) for name in (entity.name, *entity.synonyms))


def unfounded_words(said: str, facts: Sequence[Fact]) -> list[str]:
    """The words and numbers of a statement that come neither from its facts nor from the list of plain words."""
    ends = " ".join(name for fact in facts for end in fact.ends for name in (end.name, end.kind, *end.synonyms))
    allowed = PLAIN_WORDS | set(tokens(f"{ends} {' '.join(map(str, facts))}"))
    stems = {word for fact in facts for word in tokens(fact.relation) if len(word) >= STEM}
    return [
        word
        for word in dict.fromkeys(tokens(said))
        if word not in allowed and not any(akin(word, stem) for stem in stems)
    ]


def akin(word: str, stem: str) -> bool:
    """Whether a word is another form of a relation's: they begin alike, up to the last two letters of the latter."""
    return word.startswith(stem[: max(STEM, len(stem) - 2)])


def tokens(text: str) -> list[str]:
    """The words and numbers in their normal form, each part of a date or a compound by itself."""
    return [form(part) for part in re.findall(r"[^\W_]+", plain(text))]


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """Only the numbers of the list can be cited."""
    own = own_schema(agent, ask)
    part = own["$defs"]["Statement"]
    numbers = part["properties"]["facts"] | {"items": {"type": "integer", "minimum": 1, "maximum": len(ask.facts)}}
    statement = part | {"properties": part["properties"] | {"facts": numbers}}
    return own | {"$defs": own["$defs"] | {"Statement": statement}}


def settle(ask: Ask, body: dict[str, Any]) -> dict[str, Any]:
    """The statements with the facts' ids in the place of their numbers."""
    ids = {one.number: one.fact.id for one in ask.facts}
    return {
        "statements": [
            {"facts": [ids[number] for number in one["facts"]], "statement": " ".join(one["statement"].split())}
            for one in body["statements"]
        ]
    }


agent = Agent("summarise_knowledge", Ask, Answer, check, schema, settle)
