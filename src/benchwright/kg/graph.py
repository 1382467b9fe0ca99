"""What can be asked of a graph, however it is kept, and the graph in memory for what is small."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any, Protocol

from benchwright.domain.extra import library
from benchwright.domain.knowledge import Entity, Fact, Named, Record, Triple, merge_entities, names_of, unknown_end


class Graph(Protocol):
    """A loaded graph."""

    @property
    def label(self) -> str:
        """What the run calls it."""
        ...

    def find_by_name(self, wanted: str) -> tuple[Named, ...]:
        """Every entity that has a name of this normal form (`form`), own names first."""
        ...

    def find_by_forms(self, forms: Collection[str]) -> tuple[Named, ...]:
        """Every entity under each of its names whose normal form is one of these."""
        ...

    def facts(self, entity: str, each: int | None = None, ends: Collection[str] = ()) -> tuple[Fact, ...]:
        """Every fact of which the entity with this id is an end, once, those of one relation together, latest first.

        With `each` so many of each relation at most, and after them all whose other end is one of `ends`. Of equally
        late ones those come first in which the entity is the subject, then those whose other end was told of first.
        """
        ...

    def names(self, kinds: Collection[str]) -> Iterator[Named]:
        """Every name of every entity of these kinds."""
        ...


@dataclass(slots=True)
class Small:
    """A graph in memory, a `networkx.MultiDiGraph`: nodes are ids with their `entity`, edges hold their `triple`.

    `places` say when an entity, a relation or a source was first told of.
    """

    label: str
    graph: Any
    forms: dict[str, list[Named]]
    places: dict[tuple[str, str], int]

    def find_by_name(self, wanted: str) -> tuple[Named, ...]:
        """See `Graph`."""
        return tuple(sorted(self.forms.get(wanted, ()), key=lambda found: found.synonym))

    def find_by_forms(self, forms: Collection[str]) -> tuple[Named, ...]:
        """See `Graph`."""
        return tuple(named for wanted in forms for named in self.forms.get(wanted, ()))

    def facts(self, entity: str, each: int | None = None, ends: Collection[str] = ()) -> tuple[Fact, ...]:
        """See `Graph`."""
        if entity not in self.graph:
            return ()
        edges = {*self.graph.out_edges(entity, keys=True), *self.graph.in_edges(entity, keys=True)}
        found = self._in_order(entity, [self._fact(*edge) for edge in edges])
        if each is None:
            return tuple(found)
        groups = groupby(found, key=lambda fact: fact.relation)
        first = [fact for _, group in groups for fact in islice(group, each)]
        return tuple(dict.fromkeys([*first, *(fact for fact in found if fact.other(entity).id in ends)]))

    def names(self, kinds: Collection[str]) -> Iterator[Named]:
        """See `Graph`."""
        for found in self.forms.values():
            yield from (named for named in found if named.entity.kind in kinds)

    def _in_order(self, entity: str, facts: list[Fact]) -> list[Fact]:
        def place(fact: Fact) -> tuple[bool, int, int]:
            other = self.places["entity", fact.other(entity).id]
            return fact.subject.id != entity, other, self.places["source", fact.source]

        facts.sort(key=place)
        facts.sort(key=lambda fact: fact.details, reverse=True)
        facts.sort(key=lambda fact: self.places["relation", fact.relation])
        return facts

    def _fact(self, subject: str, object_: str, key: int) -> Fact:
        triple = self.graph.edges[subject, object_, key]["triple"]
        ends = self.graph.nodes[subject]["entity"], self.graph.nodes[object_]["entity"]
        return Fact(ends[0], triple.relation, ends[1], triple.source, triple.details)


def small(label: str, records: Iterable[Record]) -> Small:
    """Load records into memory; a record may name only entities that came before it."""
    networkx = library("networkx", "a graph in memory", "kg")
    graph, seen, places = networkx.MultiDiGraph(), set[Triple](), dict[tuple[str, str], int]()
    for record in records:
        if isinstance(record, Entity):
            places.setdefault(("entity", record.id), len(places))
            graph.add_node(record.id, entity=merge_entities(graph.nodes.get(record.id, {}).get("entity"), record))
        elif record not in seen:
            for end in (record.subject, record.object):
                if end not in graph:
                    raise unknown_end(label, record, end)
            graph.add_edge(record.subject, record.object, key=len(seen), triple=record)
            seen.add(record)
            for told in (("relation", record.relation), ("source", record.source)):
                places.setdefault(told, len(places))
    forms: dict[str, list[Named]] = defaultdict(list)
    for _, entity in graph.nodes(data="entity"):
        for form, named in names_of(entity):
            forms[form].append(named)
    return Small(label, graph, dict(forms), places)
