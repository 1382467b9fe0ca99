"""The story of an item, for `explain`."""

from collections.abc import Iterator, Sequence

from benchwright.pipelines.kind import Line, Part, Seen, Table
from benchwright.pipelines.retrieval.body import Described, Pair, Passages, Pool, Query, query_name

SHOWN = 40  # rows of a table
BEFORE_ANYTHING = {
    "passages": "the document is not split yet",
    "queries": "no query has been written",
}


def story(item: Seen) -> Sequence[Part]:
    """What there is to know of an item, by its phase."""
    match item.body:
        case Passages():
            return tuple(of_passages(item.body))
        case Described():
            return tuple(of_document(item.body))
        case Query():
            return tuple(of_query(item.body, item.id))
        case Pool():
            return tuple(of_pool(item.body))
        case Pair():
            return tuple(of_pair(item.body))
    return (Part("", (Line(BEFORE_ANYTHING.get(item.seed.phase, "there is nothing to show yet")),)),)


def of_passages(body: Passages) -> Iterator[Part]:
    """Where a document was split."""
    rows = tuple((n, f"{first}-{last}", size) for n, ((first, last), size) in enumerate(zip_sizes(body), 1))
    left = f"{body.left_out} sentences are in no passage: each is longer than a passage may be"
    yield Part("Document", (Line(body.title or body.name, strong=True),))
    yield Part(
        "Passages",
        (Table(("passage", "sentences", "about tokens"), rows[:SHOWN]), *((Line(left),) if body.left_out else ())),
    )


def zip_sizes(body: Passages) -> Iterator[tuple[tuple[int, int], int]]:
    """Each passage with its size."""
    return zip(body.passages, body.tokens, strict=True)


def of_document(body: Described) -> Iterator[Part]:
    """What a document is about, and what of it is in the corpus."""
    about = f"{body.event} ({body.category})" if body.event else "none of the event types: no query is written from it"
    yield Part("Document", (Line(body.title or body.name, strong=True), Line(f"about: {about}")))
    if body.summary:
        yield Part("Summary", (Line(body.summary),))
    rows = tuple((f"{one.first}-{one.last}", one.item[:10], one.number + 1) for one in body.repeats)
    kept = Line(f"{len(body.passages)} passages, and {len(rows)} that nearly repeat another one")
    yield Part(
        "Passages", (kept, *((Table(("sentences", "repeats item", "its passage"), rows[:SHOWN]),) if rows else ()))
    )


def of_query(body: Query, item: str) -> Iterator[Part]:
    """A query with all that was written for it."""
    changed = (Line(f"before a person changed it: {body.replaces}"),) if body.replaces else ()
    drawn = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in body.drawn.items())
    yield Part("Query", (Line(body.query, strong=True), *changed, Line(f"{query_name(item)} in the set")))
    yield Part(
        "About",
        (
            Line(f"intent {body.intent}; {body.event} ({body.category}); from {body.document}"),
            Line(f"need: {body.needs[0]}"),
            *(Line(f"not taken: {need}") for need in body.needs[1:]),
            Line(f"drawn: {drawn}"),
        ),
    )
    texts = (("relevant", body.text), *body.negatives.items())
    yield Part("Texts", tuple(Line(f"{name}: {text}") for name, text in texts))
    if body.checked:
        names = {"own": "its own text", "origin": "its passage"}
        means = "; ".join(f"{names[what]}: {mean}" for what, mean in body.checked.items())
        yield Part("Mean grades when it was written", (Line(means),))
    yield from people(body.said)


def people(said: Sequence[object]) -> Iterator[Part]:
    """What people decided."""
    rows = tuple((one.by, one.decision, one.reason) for one in said)  # type: ignore[attr-defined]
    if rows:
        yield Part("People", (Table(("by", "decision", "reason"), rows),))


def of_pool(body: Pool) -> Iterator[Part]:
    """Which ranking has found which text."""
    repeats = (Line(f"it nearly repeats the query of item {body.repeats[:10]}"),) if body.repeats else ()
    head = (Line(body.query, strong=True), *repeats, Line(f"{len(body.candidates)} texts of {body.texts}"))
    yield Part("Query", head)
    best = sorted(body.candidates, key=lambda one: (min((f.rank for f in one.found), default=10**9), one.id))
    rows = tuple(
        (one.id, one.origin, "yes" if one.own else "", ", ".join(f"{f.by}/{f.mode} {f.rank}" for f in one.found))
        for one in best
    )
    yield Part("Texts", (Table(("text", "is a", "its own", "found at rank"), rows[:SHOWN]),))
    ranks = tuple((by, name, rank or "not found") for by, each in body.ranks.items() for name, rank in each.items())
    if ranks:
        yield Part("Where its own texts come", (Table(("ranking", "text", "rank"), ranks),))
    yield from people(body.said)


def of_pair(body: Pair) -> Iterator[Part]:
    """A pair with its grades."""
    kind = f"{body.origin}{', written for this query' if body.own else ''}"
    test = (Line("it tests the graders and is no part of the set: the text belongs to another query"),)
    yield Part(
        "Pair",
        (
            Line(f"{body.query} / {body.doc}", strong=True),
            Line(f"the text is a {kind}"),
            *(test if body.planted else ()),
        ),
    )
    rows = tuple(
        (one.by, one.strategy, "cannot say" if one.grade is None else one.grade, one.reason) for one in body.grades
    )
    lines = [Line(f"mean {body.mean}")] if body.mean else []
    lines += [Line("incomplete: a strategy failed, or could not say")] if body.incomplete else []
    lines.append(Line("no grade yet" if body.grade is None else f"grade {body.grade}", strong=True))
    yield Part("Grades", (Table(("by", "strategy", "grade", "reason"), rows), *lines))
    given = tuple((one.by, "" if one.grade is None else one.grade, one.reason) for one in body.people)
    if given:
        yield Part("People", (Table(("by", "grade", "reason"), given),))
