"""From mentions to entities: one each, or none. What could be several things is told, never united."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from benchwright.domain.knowledge import Entity, Named, form, spellings
from benchwright.kg.graph import Graph
from benchwright.kg.mentions import Mention, apart
from benchwright.kg.vectors import Nearest

Also = Mapping[str, tuple[str, ...]]
Way = Literal["name", "form", "synonym", "vector"]
RIVAL = 0.01  # cosines so near to the best one do not tell two entities apart
SHORT = re.compile(r"\s*[(\[]\s*(?:\w+ ){0,2}([A-Z][\w-]{1,9}?)s?\s*[;,)\]]")  # ... behind the name of a thing
DEFINED = re.compile(r"((?:[\w'-]+ ){1,7})[(\[]([A-Z][\w-]{1,9})[)\]]")  # visceral leishmaniasis (VL)
SPELT_OUT = re.compile(r"\b([A-Z][\w-]{1,9})(?:: | ?[(\[])((?:[\w'-]+ ){0,6}[\w'-]+)")  # VL (visceral leishmaniasis)


@dataclass(frozen=True, slots=True)
class Link:
    """An entity that the document mentions: where, how it was recognised, how much the document is about it.

    `salience` is its share of all mentions, linked or not, of which one at the very start counts twice one at the end.
    """

    entity: Entity
    mentions: tuple[Mention, ...]
    way: Way
    score: float
    salience: float


@dataclass(frozen=True, slots=True)
class Open:
    """A name in the document that is not linked; `candidates` are the entities it may mean, if any is known."""

    text: str
    mentions: tuple[Mention, ...]
    candidates: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class Linked:
    """All that one graph makes of a document's mentions, the most salient first."""

    links: tuple[Link, ...]
    ambiguous: tuple[Open, ...]
    unknown: tuple[Open, ...]


@dataclass(slots=True)
class Group:
    """The mentions of one name."""

    text: str
    label: str
    names: tuple[str, ...]  # what the document calls it, the fullest first
    mentions: list[Mention] = field(default_factory=list)
    candidates: tuple[Entity, ...] = ()
    way: Way = "name"
    score: float = 1.0


def link(
    text: str, mentions: Sequence[Mention], graph: Graph, nearest: Nearest | None = None, also: Also | None = None
) -> Linked:
    """Link a document's mentions; a name has one meaning throughout, and an acronym that of its definition.

    `also` gives the other names of a thing by the normal form of one, as vocabularies have them.
    """
    groups = group_mentions(mentions, definitions(text) | bracketed_acronyms(text, mentions))
    for group in groups:
        group.candidates, group.way = by_names(group, graph, also or {})
    if nearest:
        by_vector([group for group in groups if not group.candidates], nearest)
    certain = {group.candidates[0].id for group in groups if len(group.candidates) == 1}
    for group in groups:
        if len(group.candidates) > 1:
            group.candidates = in_context(group.candidates, certain, graph)
    return weigh_groups(groups, len(text))


def group_mentions(mentions: Sequence[Mention], meanings: Mapping[str, str]) -> list[Group]:
    """The mentions by label and name, in the order in which names first occur."""
    groups: dict[tuple[str, str], Group] = {}
    for mention in mentions:
        text = meanings.get(mention.text, mention.text)
        names = tuple(dict.fromkeys((text, mention.text)))
        groups.setdefault((mention.label, form(text)), Group(text, mention.label, names)).mentions.append(mention)
    return list(groups.values())


def definitions(text: str) -> dict[str, str]:
    """What the text says its acronyms stand for; the first definition holds."""
    found: dict[str, str] = {}
    for match in DEFINED.finditer(text):
        define(found, match[2], last_words(match[1].split()))
    for match in SPELT_OUT.finditer(text):
        define(found, match[1], first_words(match[2].split()))
    return found


def define(found: dict[str, str], acronym: str, runs: Iterable[str]) -> None:
    """Let an acronym stand for the first of the runs of words that begins with its letters, unless it has a meaning."""
    meant = next((run for run in runs if begins_so(run, acronym)), "")
    if meant:
        found.setdefault(acronym, meant)


def first_words(words: Sequence[str]) -> Iterator[str]:
    """The first word, the first two, and so on."""
    return (" ".join(words[:count]) for count in range(1, len(words) + 1))


def last_words(words: Sequence[str]) -> Iterator[str]:
    """The last word, the last two, and so on."""
    return (" ".join(words[-count:]) for count in range(1, len(words) + 1))


def begins_so(run: str, acronym: str) -> bool:
    """Whether the words of a run begin with the letters of an acronym, one each."""
    parts = re.findall(r"[^\W_]+", run.casefold())
    return [part[0] for part in parts] == [letter for letter in acronym.casefold() if letter.isalpha()]


def bracketed_acronyms(text: str, mentions: Sequence[Mention]) -> dict[str, str]:
    """The acronyms that stand in brackets behind a thing that is mentioned: "tuberculosis (TB)"; the first holds."""
    found: dict[str, str] = {}
    for mention in mentions:
        short = SHORT.match(text, mention.end)
        if short and sum(map(str.isupper, short[1])) > 1 and short[1][0].casefold() == mention.text[0].casefold():
            found.setdefault(short[1], mention.text)
    return found


def add_acronyms(text: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The mentions, and those of the acronyms that the text defines for them, which no finder knows."""
    full = {form(mention.text): mention for mention in reversed(mentions)}
    known = definitions(text) | bracketed_acronyms(text, mentions)
    meant = {short: full[form(long)] for short, long in known.items() if form(long) in full}
    if not meant:
        return tuple(mentions)
    pattern = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, sorted(meant, key=len, reverse=True)))})(?=s?(?!\w))")
    more = [
        Mention(*found.span(1), found[1], meant[found[1]].label, meant[found[1]].score)
        for found in pattern.finditer(text)
    ]
    return tuple(sorted(apart([*mentions, *more]), key=lambda mention: mention.start))


def by_names(group: Group, graph: Graph, also: Also) -> tuple[tuple[Entity, ...], Way]:
    """The entities that bear a group's name: as the document has it, else as it is spelt or called elsewhere."""
    spelt = [name for written in group.names for name in spellings(written)]
    other = [name for written in spelt for name in also.get(form(written), ())]
    for name in dict.fromkeys((*group.names, *spelt, *other)):
        candidates, way = by_name(name, group.label, graph)
        if candidates:
            return candidates, way if name in group.names else "synonym"
    return (), "name"


def by_name(name: str, kind: str, graph: Graph) -> tuple[tuple[Entity, ...], Way]:
    """The entities of this kind that bear the name: as written, else in its normal form, else as a synonym."""
    named = [found for found in graph.find_by_name(form(name)) if found.entity.kind == kind]
    tiers: tuple[tuple[Way, list[Named]], ...] = (
        ("name", [found for found in named if not found.synonym and found.name == name]),
        ("form", [found for found in named if not found.synonym]),
        ("synonym", named),
    )
    way, tier = next(((way, tier) for way, tier in tiers if tier), tiers[0])
    return tuple(dict.fromkeys(found.entity for found in tier)), way


def by_vector(groups: Sequence[Group], nearest: Nearest) -> None:
    """Give names that no entity bears the entity nearest in meaning; those hardly farther are rivals."""
    for group, close in zip(groups, nearest.close([group.text for group in groups]), strict=True):
        fitting = [found for found in close if found.named.entity.kind == group.label]
        if fitting:
            best = fitting[0].cosine
            group.candidates = tuple(found.named.entity for found in fitting if found.cosine >= best - RIVAL)
            group.way, group.score = "vector", best


def in_context(candidates: tuple[Entity, ...], certain: set[str], graph: Graph) -> tuple[Entity, ...]:
    """The one candidate that has most to do with what the document names for certain; all, where none stands out."""
    ties = {
        entity: len({fact.other(entity.id).id for fact in graph.facts(entity.id, 0, certain)}) for entity in candidates
    }
    most = max(ties.values())
    best = tuple(entity for entity, tie in ties.items() if tie == most)
    return best if len(best) == 1 else candidates


def weigh_groups(groups: Sequence[Group], length: int) -> Linked:
    """The groups as links, with names that mean one entity put together, and the rest told."""
    found: dict[str, list[Group]] = defaultdict(list)
    for group in groups:
        if len(group.candidates) == 1:
            found[group.candidates[0].id].append(group)
    total = weight(groups, length)
    links = [make_link(same, weight(same, length) / total) for same in found.values()]
    rest = [Open(group.text, tuple(group.mentions), group.candidates) for group in groups if len(group.candidates) != 1]
    return Linked(
        tuple(sorted(links, key=lambda made: (-made.salience, made.entity.id))),
        tuple(one for one in rest if one.candidates),
        tuple(one for one in rest if not one.candidates),
    )


def weight(groups: Sequence[Group], length: int) -> float:
    """How much the text speaks of these: each mention counts 2 at the very start, 1 at the end."""
    return sum(2 - mention.start / length for group in groups for mention in group.mentions)


def make_link(groups: Sequence[Group], salience: float) -> Link:
    """The link of an entity that the document calls by these names; it is as sure as the surest of them."""
    best = max(groups, key=lambda group: group.score)
    mentions = sorted((mention for group in groups for mention in group.mentions), key=lambda mention: mention.start)
    return Link(best.candidates[0], tuple(mentions), best.way, best.score, salience)
