"""What can be asked of a graph, however it is kept, and the graph in memory for what is small."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from benchwright.domain.knowledge import Entity, Fact, Named, Record, Triple, joined, names_of, unknown_end
from benchwright.kg.extra import library


class Graph(Protocol):
    """A loaded graph."""

    @property
    def label(self) -> str:
        """What the run calls it."""
        ...

    def named(self, wanted: str) -> tuple[Named, ...]:
        """Every entity that has a name of this normal form (`form`), own names first."""
        ...

    def facts(self, entity: str) -> tuple[Fact, ...]:
        """Every fact of which the entity with this id is an end, each once, in the order of the files."""
        ...

    def names(self, kinds: Collection[str]) -> Iterator[Named]:
        """Every name of every entity of these kinds."""
        ...


@dataclass(slots=True)
class Small:
    """A graph in memory, a `networkx.MultiDiGraph`: nodes are ids with their `entity`, edges hold their `triple`."""

    label: str
    graph: Any
    forms: dict[str, list[Named]]

    def named(self, wanted: str) -> tuple[Named, ...]:
        """See `Graph`."""
        return tuple(sorted(self.forms.get(wanted, ()), key=lambda found: found.synonym))

    def facts(self, entity: str) -> tuple[Fact, ...]:
        """See `Graph`."""
        if entity not in self.graph:
            return ()
        edges = {*self.graph.out_edges(entity, keys=True), *self.graph.in_edges(entity, keys=True)}
        return tuple(self._fact(*edge) for edge in sorted(edges, key=lambda edge: edge[2]))

    def names(self, kinds: Collection[str]) -> Iterator[Named]:
        """See `Graph`."""
        for found in self.forms.values():
            yield from (named for named in found if named.entity.kind in kinds)

    def _fact(self, subject: str, object_: str, key: int) -> Fact:
        triple = self.graph.edges[subject, object_, key]["triple"]
        ends = self.graph.nodes[subject]["entity"], self.graph.nodes[object_]["entity"]
        return Fact(ends[0], triple.relation, ends[1], triple.source, triple.details)


def small(label: str, records: Iterable[Record]) -> Small:
    """Load records into memory; a record may name only entities that came before it."""
    networkx = library("networkx", "a graph in memory", "kg")
    graph, seen = networkx.MultiDiGraph(), set[Triple]()
    for record in records:
        if isinstance(record, Entity):
            graph.add_node(record.id, entity=joined(graph.nodes.get(record.id, {}).get("entity"), record))
        elif record not in seen:
            for end in (record.subject, record.object):
                if end not in graph:
                    raise unknown_end(label, record, end)
            graph.add_edge(record.subject, record.object, key=len(seen), triple=record)
            seen.add(record)
    forms: dict[str, list[Named]] = defaultdict(list)
    for _, entity in graph.nodes(data="entity"):
        for form, named in names_of(entity):
            forms[form].append(named)
    return Small(label, graph, dict(forms))
