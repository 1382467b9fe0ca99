"""What a campaign comes to: documents, queries by cell, what the rankings have found, grades."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.item import ItemState
from benchwright.domain.text import plural
from benchwright.pipelines.kind import Part, Seen, SetCard, Table
from benchwright.pipelines.retrieval.agreement import WithPeople
from benchwright.pipelines.retrieval.body import PASSAGE, SUMMARY, Described, Pair, Pool, Query
from benchwright.pipelines.retrieval.intents import load_categories, load_intents
from benchwright.pipelines.retrieval.settings import QUERIES, RetrievalSettings

FOUND = "found"  # texts of the corpus; all others were written by models
WRITTEN = "written"
DEPTHS = (1, 10, 100)  # ranks up to which own texts are counted
FILES = """\
`corpus.jsonl` has the passages (`_id`, `title`, `text`), `queries.jsonl` the queries (`_id`, `text`, and what they are
for and about), `qrels/test.tsv` the grades. `grades.jsonl` has, for each pair, every grade of a model, their exact
mean, what people said, and whether a strategy failed."""
METHOD = (
    "Models wrote queries from passages, several rankings found texts for each query, and models graded each pair by"
    " the definitions of the query's intent. The grade is the mean of their grades, rounded; where these lay too far"
    " apart, people graded."
)


class Rankings:
    """What the rankings have found, over all queries."""

    def __init__(self) -> None:
        self.pools = 0
        self.texts = 0
        self.hits: Counter[str] = Counter()
        self.sole: Counter[str] = Counter()  # texts that only one model has found, by model
        self.both: Counter[tuple[str, str]] = Counter()
        self.either: Counter[tuple[str, str]] = Counter()
        self.own: Counter[tuple[str, int]] = Counter()  # own texts by ranking, up to a depth
        self.looked: Counter[str] = Counter()

    def take(self, pool: Pool) -> None:
        """Count one pool."""
        self.pools += 1
        self.texts += len(pool.candidates)
        names = {by: set[str]() for by in pool.rankings}
        for one in pool.candidates:
            for found in one.found:
                names[f"{found.by}/{found.mode}"].add(one.id)
            finders = {found.by for found in one.found}
            self.sole.update(finders if len(finders) == 1 else ())
        self.hits.update({by: len(ids) for by, ids in names.items()})
        for first, second in combinations(sorted(names), 2):
            self.both[first, second] += len(names[first] & names[second])
            self.either[first, second] += len(names[first] | names[second])
        for by, ranks in pool.ranks.items():
            if (rank := ranks.get(pool.own)) is not None:
                self.looked[by] += 1
                self.own.update((by, depth) for depth in DEPTHS if 0 < rank <= depth)

    def overlaps(self) -> Iterator[tuple[str, str, float, str]]:
        """Two rankings, the share of texts that both have of those that either has, and what that says of HNSW."""
        for (one, other), n in sorted(self.both.items()):
            exact = one.removesuffix("/exact") == other.removesuffix("/hnsw") and other.endswith("/hnsw")
            recall = n / self.hits[one] if self.hits[one] else 0.0
            yield one, other, n / max(1, self.either[one, other]), f"HNSW finds {recall:.3f} of exact" if exact else ""

    def depths(self) -> Iterator[tuple[object, ...]]:
        """Of each ranking the share of own texts that it has up to each depth."""
        for by, n in sorted(self.looked.items()):
            yield by, *(f"{self.own[by, depth] / n:.3f}" for depth in DEPTHS)


class RetrievalReport:
    """Counts of one campaign, taken in item by item."""

    def __init__(self, campaign: Campaign) -> None:
        """Empty counts."""
        self.settings = RetrievalSettings.model_validate(dict(campaign.settings))
        self.documents = 0
        self.passages = 0
        self.repeats = 0
        self.unknown = 0  # documents about none of the event types
        # Kept queries by category and intent: of each cell that is known, also of those that have none.
        self.cells: Counter[tuple[str, str]] = Counter(dict.fromkeys(known_cells(self.settings), 0))
        self.events: Counter[tuple[str, str]] = Counter()  # kept queries by intent and event type
        self.rankings = Rankings()
        self.grades: Counter[tuple[str, int]] = Counter()  # by intent
        self.by_origin: Counter[tuple[str, int]] = Counter()
        self.sole_relevant: Counter[str] = Counter()
        self.people: defaultdict[str, WithPeople] = defaultdict(WithPeople)  # by intent
        self.pairs = 0
        self.incomplete = 0
        self.by_people = 0
        self.planted = 0

    def take(self, item: Seen) -> None:
        """Count one item, if it was kept; of a query that was not, that its cell wants it."""
        if item.seed.phase == QUERIES:
            wishes = Answer("", "", "", item.seed.body).value
            self.cells[wishes["category"], wishes["intent"]] += 0
        if item.state is not ItemState.KEPT:
            return
        match item.body:
            case Described():
                self.documents += 1
                self.passages += len(item.body.passages)
                self.repeats += len(item.body.repeats)
                self.unknown += not item.body.event
            case Query():
                self.cells[item.body.category, item.body.intent] += 1
                self.events[item.body.intent, item.body.event] += 1
            case Pool():
                self.rankings.take(item.body)
            case Pair():
                self.take_pair(item.body)

    def take_pair(self, pair: Pair) -> None:
        """Count one pair."""
        if pair.planted:
            self.planted += 1
            return
        self.pairs += 1
        self.people[pair.intent].take(pair)
        self.incomplete += pair.incomplete
        self.by_people += any(one.grade is not None for one in pair.people)
        if pair.grade is not None:
            self.grades[pair.intent, pair.grade] += 1
            self.by_origin[FOUND if pair.origin in {PASSAGE, SUMMARY} else WRITTEN, pair.grade] += 1
            self.sole_relevant[pair.sole] += pair.grade > 0

    # ------------------------------------------------------------------------------------------------------ output

    @property
    def queries(self) -> int:
        """How many queries were kept."""
        return self.cells.total()

    def shortfalls(self) -> list[tuple[str, str, int, int]]:
        """The cells that have fewer queries than are wanted: category, intent, how many there are and are wanted."""
        wanted = self.settings.queries
        return [(category, intent, n, wanted) for (category, intent), n in sorted(self.cells.items()) if n < wanted]

    def summary(self) -> Mapping[str, Any]:
        """What a run has come to."""
        return self.counts()

    def lines(self) -> Sequence[str]:
        """The same in sentences."""
        passages = f"{plural(self.documents, 'document')}, {plural(self.passages, 'passage')}"
        graded = f"{plural(self.pairs, 'pair')} graded, {self.by_people} by people, {self.incomplete} incomplete"
        lines = [
            f"{passages} ({self.repeats} more nearly repeat another)",
            f"{self.queries} queries, {self.rankings.texts} texts to grade, {graded}",
        ]
        if self.unknown:
            lines.append(f"{plural(self.unknown, 'document')} are about none of the event types: no query is from them")
        for category, intent, n, wanted in self.shortfalls():
            lines.append(f"{category}, {intent}: {n} of {wanted} queries")
        return lines

    def counts(self) -> Mapping[str, Any]:
        """What a set holds."""
        return {
            "documents": self.documents,
            "passages": self.passages,
            "repeated_passages": self.repeats,
            "queries": self.queries,
            "queries_by_cell": {f"{category}/{intent}": n for (category, intent), n in sorted(self.cells.items())},
            "shortfalls": [f"{category}/{intent}: {n} of {of}" for category, intent, n, of in self.shortfalls()],
            "pairs": self.pairs,
            "pairs_by_people": self.by_people,
            "pairs_incomplete": self.incomplete,
            "pairs_planted": self.planted,
            "grades": {
                intent: {str(grade): n for (name, grade), n in sorted(self.grades.items()) if name == intent}
                for intent in sorted({name for name, _ in self.grades})
            },
            "found_by_one_model_alone": dict(sorted(self.rankings.sole.items())),
        }

    def card(self) -> SetCard:
        """The same for its card."""
        counts = (
            ("documents", self.documents),
            ("passages of documents", self.passages),
            ("queries", self.queries),
            ("graded pairs", self.pairs),
            ("pairs graded by people", self.by_people),
            ("incomplete pairs", self.incomplete),
        )
        return SetCard("Items of a test collection", FILES, counts, tuple(self.parts()), METHOD)

    def parts(self) -> Iterator[Part]:
        """Tables of the card."""
        rows = tuple((*cell, n, self.settings.queries) for cell, n in sorted(self.cells.items()))
        yield Part("Queries by category and intent", (Table(("category", "intent", "queries", "wanted"), rows),))
        events = Counter(intent for intent, _ in self.events)
        most = {intent: max(n for (name, _), n in self.events.items() if name == intent) for intent in events}
        spread = tuple((intent, n, most[intent]) for intent, n in sorted(events.items()))
        yield Part("Event types", (Table(("intent", "event types", "most queries of one"), spread),))
        yield Part("Grades by intent", (grades_table("intent", self.grades),))
        yield Part("Grades of found and of written texts", (grades_table("texts", self.by_origin),))
        for intent, people in sorted(self.people.items()):
            if people.seen:
                head = ("measure", "value", "95 % of samples of queries", "pairs")
                yield Part(f"Models and people, {intent}", (Table(head, tuple(people.rows())),))
        if self.rankings.pools:
            yield from self.ranking_parts()

    def ranking_parts(self) -> Iterator[Part]:
        """What the rankings have found, and what would be lost without one of them."""
        overlaps = tuple((one, other, f"{share:.3f}", note) for one, other, share, note in self.rankings.overlaps())
        yield Part("Overlap of rankings", (Table(("ranking", "and", "both of either", ""), overlaps),))
        sole = tuple((by, n, self.sole_relevant[by]) for by, n in sorted(self.rankings.sole.items()))
        lost = ("without", "texts lost", "of them graded above 0")
        yield Part("What leaving one out would lose", (Table(lost, sole),))
        depths = tuple(self.rankings.depths())
        head = ("ranking", *(f"within {depth}" for depth in DEPTHS))
        yield Part("Where the texts that were written for a query come", (Table(head, depths),))


def known_cells(settings: RetrievalSettings) -> Iterator[tuple[str, str]]:
    """The cells of which the campaign file tells; files of one's own are not read here."""
    ours = not settings.intents_file.endswith(".toml"), not settings.categories_file.endswith(".toml")
    intents, categories = settings.intents, settings.categories
    if ours[0]:
        intents = tuple(one.name for one in load_intents(settings.intents_file, Path(), intents)[0])
    if ours[1]:
        categories = tuple(one.name for one in load_categories(settings.categories_file, Path(), categories)[0])
    yield from ((category, intent) for category in categories for intent in intents)


def grades_table(what: str, grades: Counter[tuple[str, int]]) -> Table:
    """How often each grade was given, and the mean."""
    names, values = sorted({name for name, _ in grades}), sorted({grade for _, grade in grades})
    rows = []
    for name in names:
        total = sum(grades[name, value] for value in values)
        mean = Fraction(sum(value * grades[name, value] for value in values), max(1, total))
        rows.append((name, *(grades[name, value] for value in values), f"{float(mean):.2f}"))
    return Table((what, *(f"grade {value}" for value in values), "mean"), tuple(rows))
