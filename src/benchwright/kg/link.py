"""From mentions to entities: one each, or none. What could be several things is told, never united."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from benchwright.domain.knowledge import Entity, Named, form
from benchwright.kg.graph import Graph
from benchwright.kg.mentions import Mention
from benchwright.kg.vectors import Nearest

Way = Literal["name", "form", "synonym", "vector"]
RIVAL = 0.01  # cosines so near to the best one do not tell two entities apart
DEFINED = re.compile(r"((?:[\w'-]+ ){1,7})\(([A-Z][\w-]{1,9})\)")  # visceral leishmaniasis (VL)


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
    mentions: list[Mention] = field(default_factory=list)
    candidates: tuple[Entity, ...] = ()
    way: Way = "name"
    score: float = 1.0


def link(text: str, mentions: Sequence[Mention], graph: Graph, nearest: Nearest | None = None) -> Linked:
    """Link a document's mentions; a name has one meaning throughout, and an acronym that of its definition."""
    groups = group_mentions(mentions, definitions(text))
    for group in groups:
        group.candidates, group.way = by_name(group, graph)
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
        groups.setdefault((mention.label, form(text)), Group(text, mention.label)).mentions.append(mention)
    return list(groups.values())


def definitions(text: str) -> dict[str, str]:
    """What the text says its acronyms stand for; the first definition holds."""
    found: dict[str, str] = {}
    for match in DEFINED.finditer(text):
        words, acronym = match[1].split(), match[2]
        letters = [letter for letter in acronym.casefold() if letter.isalpha()]
        for last in range(1, len(words) + 1):
            parts = re.findall(r"[^\W_]+", " ".join(words[-last:]).casefold())
            if [part[0] for part in parts] == letters:
                found.setdefault(acronym, " ".join(words[-last:]))
    return found


def by_name(group: Group, graph: Graph) -> tuple[tuple[Entity, ...], Way]:
    """The entities of the label's kind that bear the name: as written, else in its normal form, else as a synonym."""
    named = [found for found in graph.find_by_name(form(group.text)) if found.entity.kind == group.label]
    tiers: tuple[tuple[Way, list[Named]], ...] = (
        ("name", [found for found in named if not found.synonym and found.name == group.text]),
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
