"""Items of inference and reconstruction in their final form, and answers of code about them, made by hand.

A kind takes them as `Seen`, its formats as `Kept`.
"""

from typing import Any

from benchwright.domain.answer import Answer
from benchwright.domain.document import View
from benchwright.domain.ids import canonical
from benchwright.domain.item import ItemState, Seed
from benchwright.domain.knowledge import Entity, Fact
from benchwright.domain.snippet import Found, Snippet
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.pipelines.kind import Kept, Seen, Source
from benchwright.pipelines.lookups import EntityFound, TopicFacts

HOSTILE = "=1+1 [bold]\x1b[2J\u202e</b> | *x*"
SPAN = {"sentence": 2, "start": 10, "end": 26, "text": "It was the west."}
MALARIA = Entity("DOID:12365", "malaria", "disease", ("paludism",))
CHLOROQUINE = Entity("DB00608", "chloroquine", "drug")
FACT = Fact(CHLOROQUINE, "treats", MALARIA, "Hetionet", "since 1946")
OTHER = Fact(CHLOROQUINE, "treats", Entity("DOID:1", "lupus", "disease"), "iBKH")


def version(stem: str, score: str | None, level: str, **changes: Any) -> dict[str, Any]:
    """A version of a stem; four judges were asked, one of whom failed."""
    marks = [{"by": f"judge{n}#1", "f1": "2/3", "exact": 0} for n in range(3)]
    failed = {"by": "judge3#1", "f1": None, "exact": None}
    told: dict[str, Any] = {"stem": stem, "entity": "", "phrase": "", "sources": [], "score": score, "level": level}
    return told | {"answered": 3, "failed": 1, "marks": [*marks, failed]} | changes


def difficulty(**changes: Any) -> dict[str, Any]:
    """A stem that was easy and is hard in its second version, after a round that came to nothing."""
    described = {"entity": "dengue", "phrase": f"a break-bone illness {HOSTILE}", "sources": ["https://a.example/1"]}
    rewritten = version("Where was the break-bone illness?", "1/2", "hard", **described)
    told: dict[str, Any] = {
        "best": 1,
        "level": "hard",
        "why": "it is hard enough",
        "rule": {"alpha": "3/10", "threshold": "1/5", "margin": "1/20", "quorum": 1, "rounds": 2},
        "versions": [version("Where was dengue?", "1/15", "easy"), rewritten],
        "rounds": [
            round_("Maruna", failures=["duckduckgo: timed out"], end="nothing was found; duckduckgo: timed out"),
            round_("dengue", end="a new version", **SEARCHED),
        ],
    }
    return told | changes


def round_(entity: str, **changes: Any) -> dict[str, Any]:
    """An attempt at another version."""
    told: dict[str, Any] = {
        "entity": entity,
        "names": [],
        "by": "",
        "failures": [],
        "found": [],
        "tried": [],
        "objections": [],
    }
    return told | {"end": ""} | changes


SEARCHED: dict[str, Any] = {
    "names": ["break-bone fever"],
    "by": "glossary",
    "found": [{"title": "Fevers", "url": "https://a.example/1"}, {"title": "", "url": "terms.csv"}],
    "tried": [
        {"phrase": "the dengue illness", "stem": "Where was the dengue illness?", "sources": [], "why": ""},
        {"phrase": "", "stem": "", "sources": [], "why": "refused: it declines"},
    ],
    "objections": ["it still says dengue"],
}


def option(name: str, label: str = "distractor", **changes: Any) -> dict[str, Any]:
    """An option that the votes kept."""
    told: dict[str, Any] = {
        "id": name,
        "label": label,
        "text": f"text of {name}",
        "author": "",
        "replaces": None,
        "rationale": "so",
        "confusion": "principle_mismatch" if label == "distractor" else "",
        "evidence": [SPAN],
        "gate": None,
        "route": "keep",
        "ratio": "2/2",
        "votes": [],
        "lacks": [],
        "degraded": [],
        "audited": False,
        "decisions": [],
        "fate": "keep",
    }
    return told | changes


def inference(**changes: Any) -> dict[str, Any]:
    """A kept item of inference: one right option of three, with a stem that was hardened and a statement of graphs."""
    question = {"question": "Where was the break-bone illness?", "evidence": [SPAN], "chain": "so", "knowledge": [1]}
    used = [{"facts": [FACT.id], "statement": "Chloroquine treats malaria."}]
    told: dict[str, Any] = {
        "class": "Surveillance",
        "topic": "Detection",
        "intended": "one",
        "knowledge": {"given": 2, "used": used},
        "question": question,
        "options": [option("a", "correct"), option("b"), option("c"), option("d", gate="in_stem", fate="reject")],
        "order": ["b", "a", "c"],
        "difficulty": difficulty(),
    }
    return told | changes


def reconstruction(**changes: Any) -> dict[str, Any]:
    """A kept item of reconstruction, which has neither class nor topic; its right option was left out on purpose."""
    easy = difficulty(best=0, level="easy", why="it is still easy after 2 rounds", rounds=[])
    told = inference() | {"class": "", "topic": "", "intended": "none", "order": ["b", "c"], "difficulty": easy}
    del told["knowledge"]
    return told | changes


def facts(*foreign: str) -> Answer:
    """What graphs know of an item."""
    about = ("dictionary: malaria",)
    body = TopicFacts.of((FACT, OTHER), {FACT.id}, about, foreign).model_dump(mode="json")
    return Answer("find_facts", "", "code", canonical(body))


def looked_up(*snippets: Snippet) -> Answer:
    """What a search said of an entity, or that none had anything."""
    found = Found(snippets, "glossary" if snippets else "", ("duckduckgo: timed out",))
    body = EntityFound.of(found, ("break-bone fever",) if snippets else ()).model_dump(mode="json")
    return Answer("look_up", "1.ab12cd34", "code", canonical(body))


def seen(body: dict[str, Any] | None, *answers: Answer, state: ItemState = ItemState.KEPT, slot: int = 0) -> Seen:
    """An item with this body, about which this was said."""
    seed = Seed(slot, 0, View("d1", (0,)))
    return Seen(seed.id, seed, state, "", "", CHOICE.read(body) if body else None, lambda: answers)


def kept(body: dict[str, Any], *answers: Answer, slot: int = 0) -> Kept:
    """The same as an item of a set."""
    source = Source("d1", "reports/a.xml", "Fevers", "10.1/x", "CC BY 4.0", "en", "Dengue was seen. It was the west.")
    return Kept(seen(body, *answers, slot=slot), (source,))
