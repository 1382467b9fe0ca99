"""What code answers, as things that are owed: what is said of an entity, and which facts graphs have.

They are agents whose questions go to a queue that a service works off, so they have no prompt. Their answers are kept
like all others: an item stays what it is, whatever a search or a graph says later.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent
from benchwright.domain import knowledge, snippet

SEARCH = "search"  # the queue of the searches
GRAPHS = "graphs"  # the queue of the knowledge graphs


class Body(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True)
class EntityAsk:
    """What is said of an `entity` that a question names? At `most` so many snippets."""

    entity: str
    most: int


class Snippet(Body):
    """Lines by a stranger, and where they stand: data, whatever they say."""

    text: str
    url: str
    title: str


class EntityFound(Body):
    """The snippets, by which search, what failed before it; and what else the entity is called by those who know it."""

    snippets: tuple[Snippet, ...] = ()
    by: str = ""
    failures: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, found: snippet.Found, names: Iterable[str] = ()) -> "EntityFound":
        """What a search found, as an answer."""
        snippets = (Snippet(text=one.text, url=one.url, title=one.title) for one in found.snippets)
        return cls(snippets=tuple(snippets), by=found.by, failures=found.failures, names=tuple(names))

    @property
    def search_result(self) -> snippet.Found:
        """What the search found."""
        snippets = tuple(snippet.Snippet(one.text, one.url, one.title) for one in self.snippets)
        return snippet.Found(snippets, self.by, self.failures)


@dataclass(frozen=True, slots=True)
class TopicAsk:
    """Which facts have to do with the item's document and this `topic`? In words."""

    topic: str


class Entity(Body):
    """A thing that a graph knows."""

    id: str
    name: str
    kind: str
    synonyms: tuple[str, ...]

    @classmethod
    def of(cls, entity: knowledge.Entity) -> "Entity":
        """The entity as part of an answer."""
        return cls(id=entity.id, name=entity.name, kind=entity.kind, synonyms=entity.synonyms)

    @property
    def entity(self) -> knowledge.Entity:
        """The entity itself."""
        return knowledge.Entity(self.id, self.name, self.kind, self.synonyms)


class Fact(Body):
    """A claim of a graph under its id; `named` where the document names both ends."""

    id: str
    subject: Entity
    relation: str
    object: Entity
    source: str
    details: str
    named: bool

    @classmethod
    def of(cls, fact: knowledge.Fact, *, named: bool) -> "Fact":
        """The fact as part of an answer."""
        return cls(
            id=fact.id,
            subject=Entity.of(fact.subject),
            relation=fact.relation,
            object=Entity.of(fact.object),
            source=fact.source,
            details=fact.details,
            named=named,
        )

    @property
    def fact(self) -> knowledge.Fact:
        """The fact itself."""
        return knowledge.Fact(self.subject.entity, self.relation, self.object.entity, self.source, self.details)


class TopicFacts(Body):
    """The facts, the most relevant first, maybe none; `about` says what looked for them, and where.

    `foreign` are the names in them that the document has nowhere: what says one rests on more than its reader
    is shown.
    """

    facts: tuple[Fact, ...] = ()
    about: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        facts: Iterable[knowledge.Fact],
        named: Collection[str] = (),
        about: Iterable[str] = (),
        foreign: Iterable[str] = (),
    ) -> "TopicFacts":
        """Facts as an answer; `named` are the ids of those whose other end the document names too."""
        told = tuple(Fact.of(fact, named=fact.id in named) for fact in facts)
        return cls(facts=told, about=tuple(about), foreign=tuple(foreign))


look_up = Agent("look_up", EntityAsk, EntityFound)
find_facts = Agent("find_facts", TopicAsk, TopicFacts)
