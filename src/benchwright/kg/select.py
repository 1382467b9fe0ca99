"""Which facts may help: those that have to do with the article and with the topic, ranked, capped, maybe none.

The article's part is decided once a document (`candidates`); the topic's is pure and cheap (`choose`), so that a
pipeline can do it when it knows the topic.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from benchwright.domain.knowledge import Fact, singular
from benchwright.domain.text import plain
from benchwright.kg.dictionary import SHORTEST, can_mean
from benchwright.kg.graph import Graph
from benchwright.kg.link import Link
from benchwright.kg.mentions import WORD

KEPT, RELATION = 400, 50  # candidates of a document, and of those about one entity by one relation
MOST, EACH = 24, 5  # facts given to a writer, and of those about one entity by one relation
SALIENT = 0.05  # what a document mentions less is not what it is about
LEAST, EACH_TEXT = (
    3,
    2000,
)  # nor what it mentions fewer times than that, in a shorter one than once in so many characters
NAMED = 1.0  # an article that names the other end too counts as much again
FLOOR = 0.2  # relevance to any topic of a fact between two things that the article names
WIDEST = 8  # words of a name that is looked for in the text
STOP = re.compile(r"[.;:!?](?=\s)|\n")
MATCHES = 2  # words of the topic that make a fact wholly relevant to it
TREATMENTS = frozenset(("treats", "palliates", "is treated by", "treated by", "treatment", "prevents"))
# What facts of a kind are about, in words that topics are told in; by relation or by the kind of the other end.
HINTS = {
    "country": "outbreak surveillance incidence prevalence place time trend seasonality region spread burden",
    "symptom": "symptom sign clinical presentation diagnosis diagnostic verification case definition severity severe",
    "drug": "drug treatment therapy intervention control efficacy effectiveness programme program prophylaxis",
    "gene": "gene genetic genomic host marker susceptible susceptibility immune immunity molecular variant",
    "anatomy": "organ tissue clinical pathology site",
    "disease": "comorbidity coinfection complication classification related differential diagnosis",
    "side effect": "safety adverse side effect drug",
    "pathway": "mechanism pathway molecular immune",
    "vector": "vector reservoir zoonotic animal host transmission exposure spillover",
    "pathogen": "pathogen agent virus bacterium parasite transmission strain variant",
}
EMPTY = frozenset(
    ("a", "an", "and", "are", "as", "at", "by", "for", "from", "had", "has", "in", "is", "it", "its", "of", "on", "or")
) | {"the", "their", "this", "to", "was", "what", "who", "with"}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact about an entity of the document; `named` where the document names the fact's other end as well."""

    fact: Fact
    about: str
    article: float
    named: bool


def candidates(text: str, links: Sequence[Link], graph: Graph, most: int = KEPT) -> tuple[Candidate, ...]:
    """The facts about what the document is about, the most relevant to it first; treatments are never crowded out."""
    ends = {link.entity.id for link in links} | entities_in_text(text, graph)
    found: dict[str, Candidate] = {}
    for link in links:
        if link.salience < SALIENT or in_passing(link, text):
            continue
        for fact in graph.facts(link.entity.id, RELATION, ends):
            named = fact.other(link.entity.id).id in ends
            relevance = link.salience * (1 + NAMED * named)
            known = found.get(fact.id)
            if known is None or known.article < relevance:
                found[fact.id] = Candidate(fact, link.entity.id, relevance, named)
    first = [one for one in rank_facts(found.values(), RELATION) if treats(one.fact)][: most // 2]
    rest = [one for one in rank_facts(found.values(), RELATION) if not treats(one.fact)][: most - len(first)]
    return tuple(sorted([*first, *rest], key=lambda one: -one.article))


def in_passing(link: Link, text: str) -> bool:
    """Whether a text names something so few times that it is not about it, whatever share of all mentions that is."""
    return 0 < len(link.mentions) < min(LEAST, 1 + len(text) // EACH_TEXT)


def rank_facts(found: Iterable[Candidate], each: int) -> list[Candidate]:
    """The most relevant to the article first, of equals the latest; of one entity by one relation so many at most."""
    order = sorted(found, key=lambda one: (one.fact.subject.name, one.fact.object.name, one.fact.id))
    order.sort(key=lambda one: one.fact.details, reverse=True)  # of outbreaks, they begin with the date
    order.sort(key=lambda one: -one.article)
    return cap_per_relation(order, each)


def cap_per_relation(order: Iterable[Candidate], each: int) -> list[Candidate]:
    """The first ones of each entity and relation."""
    taken: Counter[tuple[str, str]] = Counter()
    kept = []
    for one in order:
        kind = one.about, one.fact.relation
        taken[kind] += 1
        if taken[kind] <= each:
            kept.append(one)
    return kept


def choose(found: Collection[Candidate], topic: str, most: int = MOST, each: int = EACH) -> tuple[Fact, ...]:
    """The facts for a question on this topic, best first; none where nothing has to do with both article and topic."""
    wanted = words(topic)
    scores = {one.fact.id: one.article * on_topic(one, wanted) for one in found}
    relevant = [one for one in rank_facts(found, RELATION) if scores[one.fact.id] > 0]
    relevant.sort(key=lambda one: -scores[one.fact.id])
    return tuple(one.fact for one in cap_per_relation(relevant, each)[:most])


def on_topic(one: Candidate, wanted: Collection[str]) -> float:
    """How far a fact has to do with the topic, 0 to 1."""
    end = one.fact.other(one.about)
    told = words(" ".join((end.name, one.fact.relation, HINTS.get(end.kind, end.kind))))
    matched = min(1.0, len(told & set(wanted)) / MATCHES)
    return max(matched, FLOOR if one.named else 0.0)


def strange(found: Candidate) -> tuple[str, ...]:
    """The names of the other end that the document does not have; an acronym only if it is no word's look-alike."""
    end = found.fact.other(found.about)
    names = () if found.named else (end.name, *end.synonyms)
    return tuple(name for name in names if len(name) >= SHORTEST and (can_mean(name, "") or not name.isalpha()))


def treats(fact: Fact) -> bool:
    """Whether the fact tells of a treatment."""
    return fact.relation.casefold() in TREATMENTS


def words(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, in their normal form."""
    return frozenset(singular(word) for word in re.findall(r"[^\W\d_]+", text.casefold())) - EMPTY


def entities_in_text(text: str, graph: Graph) -> set[str]:
    """The ids of all that the text calls by a name of theirs; an acronym is one only in its capitals."""
    written = set(WORD.findall(text))
    return {
        found.entity.id
        for found in graph.find_by_forms(runs(text))
        if can_mean(found.name, "") or not written.isdisjoint((found.name, f"{found.name}s"))
    }


def runs(text: str) -> set[str]:
    """Every run of neighbouring words that may be a name, in its normal form; none reaches over a stop."""
    found: set[str] = set()
    for part in STOP.split(text):
        keys = [singular(word) for word in plain(part).split()]
        for first in range(len(keys)):
            found.update(accumulate(keys[first : first + WIDEST], "{} {}".format))
    return {run for run in found if len(run) >= SHORTEST and run not in EMPTY}
