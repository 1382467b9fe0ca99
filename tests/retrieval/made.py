"""Retrieval campaigns as values, and what everybody says in them: from the question alone, sometimes nothing."""

from pathlib import Path
from random import Random
from typing import Any

from tests.contracts.pipeline import NAMES

from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.campaign import Campaign, Model, Panel, Quota
from benchwright.domain.document import View
from benchwright.domain.ids import canonical, seeded_random
from benchwright.domain.item import Progress, Seed
from benchwright.domain.opinion import Policy
from benchwright.domain.source import ItemRef, Outline, view_json
from benchwright.domain.vote import Rule
from benchwright.pipelines.base import HUMAN, Due
from benchwright.pipelines.retrieval.body import Described, Passages, Query, as_json
from benchwright.pipelines.retrieval.retrieval import Retrieval
from benchwright.pipelines.retrieval.settings import DOCUMENTS, PAIRS, PASSAGES, POOL, QUERIES
from benchwright.pipelines.texts import TEXTS, text_name

VIEWS = [View(f"document{n}", (0, 1)) for n in range(6)]
EVENTS = (("Geohazard", "Earthquake"), ("Geohazard", "Ash / Tephra Fall"), ("Biological", "Measles (human)"))


def retrieval(
    opinions: int = 1, tries: int = 2, embedders: tuple[str, ...] = ("vectors",), **settings: Any
) -> Retrieval:
    """The pipeline of a campaign with two graders."""
    names = ("red", "green", "blue")
    models = {name: Model(name, "direct", name, substitute="blue" if name == "red" else "") for name in names}
    models["vectors"] = Model("vectors", "direct", "vectors", embeds=True)
    one, two = Panel(("red",)), Panel(("red", "green"))
    roles = {role.name: one for role in Retrieval.roles} | {"grade_directly": two, "grade_by_steps": two}
    asked = {"intents": ("qa",), "categories": ("Geohazard", "Biological"), "queries": 2, "planted": 1.0}
    campaign = Campaign(
        name="hazards",
        pipeline="retrieval",
        corpus=(),
        models=models,
        roles=roles | {"embed_texts": Panel(embedders)},
        rule=Rule(1, 1),  # type: ignore[arg-type]
        quota=Quota(tries=tries),
        settings=asked | settings,
        review=Policy(opinions),
    )
    return Retrieval.of(campaign, Path())


# ------------------------------------------------------------------------------------ what each phase draws on


def documents() -> list[Outline]:
    """The corpus."""
    return [Outline(view) for view in VIEWS]


def split_ones(name: str = "documents/report-{n}.md") -> list[Outline]:
    """Documents with their passages."""
    found = []
    for n, view in enumerate(VIEWS):
        body = Passages(view_json(view), name.format(n=n), f"Report {n}", "en", ((1, 5), (6, 9)), (200, 150), 1)
        found.append(Outline(ItemRef(f"passages{n}"), body=as_json(body)))
    return found


def described_ones() -> list[Outline]:
    """Documents that are about something."""
    found = []
    for n, view in enumerate(VIEWS):
        category, event = EVENTS[n % 3]
        runs = ((1, 5), (6, 9), (10, 12))
        body = Described(view_json(view), f"r{n}.md", f"Report {n}", "en", category, event, f"Summary {n}.", runs)
        found.append(Outline(ItemRef(f"document{n}"), body=as_json(body)))
    return found


def queries(intent: str = "qa") -> list[Outline]:
    """Queries that were kept."""
    found = []
    for n in range(4):
        category, event = EVENTS[n % 3]
        negatives = {"hard_negative": f"Another text {n}."}
        body = Query(
            intent, category, event, f"r{n}.md", f"What of {n}?", f"Text of {n}.", negatives, {}, (f"need {n}",)
        )
        found.append(Outline(ItemRef(f"{n:032x}"), body=as_json(body)))
    return found


def pools(made: Retrieval, sources: list[Outline] | None = None) -> list[Outline]:
    """What the phase of pools makes of queries, everybody saying what they say here."""
    found = []
    for n, seed in enumerate(made.admit(sources or queries(), progress(POOL, sources or queries()))):
        state = made.begin(seed)
        for step in range(4):
            owed = made.plan(state)
            if not isinstance(owed, list | tuple):
                break
            state = made.fold(state, say(seed, owed[0], Random(step), failing=0.0))
        body = made.body(state)
        assert body is not None
        found.append(Outline(ItemRef(f"pool{n}"), body=as_json(body)))
    return found


def progress(phase: str, corpus: list[Outline] | None = None, begun: int = 0, room: int = 99) -> Progress:
    """How far a phase has come."""
    return Progress(begun, (), room, phase, corpus or documents())


# -------------------------------------------------------------------------------------------------- who says what


def say(seed: Seed, due: Due, chance: Random | None = None, failing: float = 0.1) -> Answer:
    """What anybody says to a question; the same to the same."""
    chance = chance or seeded_random(seed.id, due.key)
    if due.to == HUMAN:
        return Answer(
            due.agent.name, due.about, f"human:{NAMES[due.run]}", canonical(person(due, seeded_random(seed.id)))
        )
    by = "code" if due.to == TEXTS else due.by
    if chance.random() < failing:
        return failure_answer(due.agent.name, due.about, due.by, "refused", "no")
    body = code(due, chance) if due.to == TEXTS else model(due, chance)
    return Answer(due.agent.name, due.about, by, canonical(body))


def person(due: Due, chance: Random) -> dict[str, Any]:
    """A grade, or a decision about a query."""
    if due.agent.name == "settle_grade":
        return {"grade": chance.choice((1, 2, 3)), "reason": "", "decision": "", "text": ""}
    decision = chance.choice(("keep", "edit", "discard"))
    return {"decision": decision, "reason": "so", "text": "What else?" if decision == "edit" else ""}


def code(due: Due, chance: Random) -> dict[str, Any]:
    """What the service says."""
    if due.agent.name == "split_document":
        runs = chance.choice(((), ((1, 4), (5, 9))))
        facts = {"name": "a/Lahar/r.md", "title": "Report", "language": "en", "left_out": 0}
        return facts | {"passages": runs, "tokens": [100] * len(runs)}
    if due.agent.name == "find_repeats":
        found = {"0": {"item": "other", "number": 1}} if chance.random() < 0.4 else {}
        return {"repeats": found}
    return ranked(due, chance)


def ranked(due: Due, chance: Random) -> dict[str, Any]:
    """Two rankings of passages, a summary and the query's own texts."""
    ask = due.ask
    own = [text_name(text) for text in ask.own]
    names = [f"d{n:016x}" for n in range(6)]
    found = (("bm25", "exact"), ("vectors", "exact"), ("vectors", "hnsw"))
    hits = {by: [[name, 1.0 - n / 10] for n, name in enumerate(chance.sample([*names, *own], 4))] for by in found}
    rankings = [{"by": by, "mode": mode, "hits": hits[by, mode]} for by, mode in found]
    there = {str(name) for each in hits.values() for name, _ in each} | set(own)
    stated = [
        {"id": name, "origin": "relevant", "text": dict(zip(own, ask.own, strict=True))[name]}
        if name in own
        else {"id": name, "origin": "summary", "text": "A summary."}
        if name == names[0]
        else {"id": name, "origin": "passage", "view": 0, "first": 1, "last": 5}
        for name in sorted(there)
    ]
    ranks = {"bm25/exact": {own[0]: chance.choice((0, 1, 7))}, "vectors/exact": {own[0]: 1}}
    return {"rankings": rankings, "stated": stated, "views": [view_json(VIEWS[0])], "ranks": ranks, "texts": 20}


def model(due: Due, chance: Random) -> dict[str, Any]:
    """What a model says, of the form that is asked for."""
    ask, negatives = due.ask, getattr(due.ask, "negatives", ())
    said: dict[str, Any] = {
        "choose_event": lambda: {"number": chance.choice((0, 1, 2))},
        "summarise_document": lambda: {"summary": "It tells of a flood."},
        "brainstorm_needs": lambda: {"needs": [f"need {n}" for n in range(ask.wanted)]},
        "write_query": lambda: {
            "query": "What?",
            "text": "That.",
            "negatives": {n.name: n.name for n in negatives},
        },
        "write_document_query": lambda: {"query": "What of it all?"},
        "find_answer": lambda: {"answers": chance.random() < 0.5},
        "score_criterion": lambda: {"score": chance.choice((0, 1, 2, 3))},
    }
    found: dict[str, Any] = said[due.agent.name]() if due.agent.name in said else grade(due, chance)
    return found


def grade(due: Due, chance: Random) -> dict[str, Any]:
    """A grade, now and then none."""
    least, most = getattr(due.ask, "least", 0), due.ask.most
    given = chance.choice((None, *range(least, most + 1)))
    if due.agent.name == "grade_directly":
        return {"grade": given, "reason": "so"}
    if due.agent.name == "grade_from_scores":
        return {"grade": given}
    if due.agent.name == "grade_by_criteria":
        return {"scores": {one.name: 1 for one in due.ask.criteria}, "grade": given}
    answers = given is not None and given >= due.ask.half
    criteria = due.ask.if_yes if answers else due.ask.if_no
    return {"answers": answers, "scores": {one.name: 1 for one in criteria}, "grade": given}


__all__ = ["DOCUMENTS", "PAIRS", "PASSAGES", "POOL", "QUERIES", "retrieval", "say"]
