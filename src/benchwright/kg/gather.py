"""All that graphs can tell about one document: mentions, links, candidate facts, and how they were found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchwright.domain.document import Document
from benchwright.kg.graph import Graph
from benchwright.kg.link import Also, Linked, add_acronyms, link
from benchwright.kg.mentions import Finder, Mention, find
from benchwright.kg.select import Candidate, candidates
from benchwright.kg.vectors import Nearest

LABELS = ("disease",)
THRESHOLD = 0.9


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What was found; `linked` by the graph's label; `about` says what looked, for the run's record."""

    mentions: tuple[Mention, ...]
    linked: Mapping[str, Linked]
    candidates: tuple[Candidate, ...]
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sources:
    """What a document is looked up with; `nearest` by the label of the graph whose names it knows.

    `also` gives the other names that vocabularies have for a thing, by the normal form of one.
    """

    finder: Finder
    graphs: Sequence[Graph]
    nearest: Mapping[str, Nearest]
    labels: tuple[str, ...] = LABELS
    threshold: float = THRESHOLD
    also: Also = field(default_factory=dict)


def gather(document: Document, sources: Sources) -> Knowledge:
    """Look a document up in every graph; runs on the processor for a while, so a service does it in a thread."""
    found_names = find(document, sources.finder, sources.labels, sources.threshold)
    mentions = add_acronyms(document.text, found_names)
    linked: dict[str, Linked] = {}
    found: list[Candidate] = []
    for graph in sources.graphs:
        nearest = sources.nearest.get(graph.label)
        linked[graph.label] = link(document.text, mentions, graph, nearest, sources.also)
        found += candidates(document.text, linked[graph.label].links, graph)
    about = (sources.finder.about, *(f"graph {graph.label}" for graph in sources.graphs))
    vectors = tuple(nearest.about for nearest in sources.nearest.values())
    return Knowledge(mentions, linked, tuple(sorted(found, key=lambda one: -one.article)), about + vectors)
