"""A scripted world for the pipelines of inference and reconstruction: models, searches, graphs, people.

What is said depends on the question alone. Correct options end in a word that judges and checkers know them by.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.contracts.pipeline import NAMES, Service, World
from tests.scripted_recall import UNCHECKED, carrying, choice, phrase, soundness, thought

from benchwright.domain.call import Request
from benchwright.domain.campaign import Campaign, Model, Panel, Quota
from benchwright.domain.document import Document, Section, Span
from benchwright.domain.ids import seeded_random
from benchwright.domain.item import Progress, Seed
from benchwright.domain.knowledge import Entity, Fact
from benchwright.domain.opinion import Policy
from benchwright.domain.snippet import Found, Snippet
from benchwright.domain.source import outline
from benchwright.domain.vote import Rule
from benchwright.errors import Refused
from benchwright.pipelines.base import Due
from benchwright.pipelines.choice.inference import Inference
from benchwright.pipelines.choice.reconstruction import Reconstruction
from benchwright.pipelines.lookups import GRAPHS, SEARCH, EntityAsk, EntityFound, TopicAsk, TopicFacts

Choice = Inference | Reconstruction

THINGS = ("ferry", "lantern", "orchard", "pebble", "ravine", "saddle", "timber", "umbrella", "velvet", "willow")
SHORT = ("wet", "old", "dog", "red", "hut", "low", "arm", "tin", "fog", "cup")  # share no root with anything
RIGHT = "thus"
WRITERS = (
    "choose_class", "choose_topic", "summarise_knowledge", "write_inference", "infer_correct_options",
    "infer_distractors", "extract_conclusion", "ask_for_conclusion", "mislead", "pick_entity", "describe_entity",
    "replace_distractors",
)  # fmt: skip
CHECKERS = (
    "check_stem",
    "check_evidence",
    "check_inference",
    "check_reconstruction",
    "compare_conclusion",
    "compare_stems",
)
GRAPH = {"graphs": [{"form": "triples", "path": "facts.csv"}]}
FOREIGN = "knoll"  # a word of options that only graphs tell of
KNOWN = (
    Fact(Entity("d1", "marsh ague", "disease"), "presents", Entity("s1", "ember cough", "symptom"), "Ills"),
    Fact(Entity("g1", "reedwort", "drug"), "treats", Entity("d1", "marsh ague", "disease"), "Ills"),
    Fact(Entity("d1", "marsh ague", "disease"), "occurs in", Entity("p1", "Ulvey", "place"), "Ills"),
)


# ------------------------------------------------------------------------------------------------ models


def answer(request: Request) -> str:
    """What the scripted model says to any agent of both pipelines."""
    return json.dumps(ANSWERS[request.step](request))


def line(request: Request, name: str) -> str:
    """A line of the task."""
    found = re.search(rf"^{name}: (.+)$", request.messages[-1].content, flags=re.MULTILINE)
    assert found
    return found[1]


def lines(request: Request, *names: str) -> list[str]:
    """The lines of the task between two headings."""
    _, _, rest = request.messages[-1].content.partition(f"\n{names[0]}:\n")
    return (rest.partition(f"\n{names[1]}") if names[1:] else (rest,))[0].splitlines()


def question(request: Request) -> str:
    """A question whose things can be described."""
    first, second, third = seeded_random(request.id, "stem").sample(THINGS, 3)
    return f"What did the {first} have to do with the {second} beside the {third}?"


def apart(part: Mapping[str, Any]) -> list[int]:
    """Two sentences that are no neighbours."""
    return [1, part["evidence"]["items"]["maximum"]]


def inferred(request: Request) -> dict[str, Any]:
    properties = request.schema["properties"]
    most = properties["knowledge"]["maxItems"]
    used = seeded_random(request.id, "used").sample(range(1, most + 1), min(most, 1))
    evidence = apart(properties)
    return {
        "rationale": "so", "chain": "both", "evidence": evidence, "knowledge": used, "question": question(request)
    }  # fmt: skip


def correct(request: Request) -> dict[str, Any]:
    most = request.schema["properties"]["options"]["maxItems"]
    evidence = apart(request.schema["$defs"]["Option"]["properties"])
    return {
        "options": [
            {"rationale": "so", "evidence": evidence, "text": f"{phrase(request.id, n)} {RIGHT}"} for n in range(most)
        ]
    }


def families(request: Request) -> dict[str, Any]:
    kinds = request.schema["$defs"]["Option"]["properties"]["family"]["enum"]
    shared = {"flaw": "no", "temptation": "it glitters", "evidence": [2]}
    most = request.schema["properties"]["options"]["maxItems"]
    return {
        "options": [{**shared, "family": kind, "text": phrase(request.id, n)} for n, kind in enumerate(kinds[:most])]
    }


def conclusions(request: Request) -> dict[str, Any]:
    part = request.schema["$defs"]["Conclusion"]["properties"]
    cited = part["discussion"]["items"]
    shared = {"rationale": "so", "discussion": [cited["minimum"], cited["maximum"]], "evidence": apart(part)}
    most = request.schema["properties"]["conclusions"]["maxItems"]
    return {"conclusions": [{**shared, "text": f"{phrase(request.id, n)} {RIGHT}"} for n in range(most)]}


def asking(request: Request) -> dict[str, Any]:
    return {"rationale": "so", "evidence": apart(request.schema["properties"]), "question": question(request)}


def misleading(request: Request) -> dict[str, Any]:
    part = request.schema["$defs"]["Option"]["properties"]
    kinds, most = part["kind"]["enum"], request.schema["properties"]["options"]["maxItems"]
    shared = {"discussion": [part["discussion"]["items"]["minimum"]], "evidence": [2], "flaw": "no"}
    return {
        "options": [
            {**shared, "kind": kinds[n % len(kinds)], "text": phrase(request.id, "wrong", n)} for n in range(most)
        ]
    }


def replaced(request: Request) -> dict[str, Any]:
    most = request.schema["properties"]["options"]["maxItems"]
    shared = {"flaw": "no", "temptation": "it glitters", "evidence": [2]}
    return {"options": [{**shared, "text": phrase(request.id, "new", n)} for n in range(most)]}


def verdicts(request: Request) -> dict[str, Any]:
    told = dict(entry.split(". ", 1) for entry in lines(request, "Options"))
    return thought({letter: {"reason": "seen", "verdict": opinion(request, told[letter])} for letter in told})


def opinion(request: Request, text: str) -> str:
    """A checker mostly says of a text what all say of it, and that is mostly what it claims to be."""
    claim, share = ("correct", 0.9) if text.endswith(RIGHT) else ("wrong", 0.8)
    common = claim if seeded_random(text, "common").random() < share else "flawed"
    own = seeded_random(request.id, text)
    return common if own.random() < 0.8 else own.choice(("correct", "wrong", "flawed", "cannot_say"))


def judgements(request: Request) -> dict[str, Any]:
    """To an easy question everybody knows the answer, to others few do."""
    hard = seeded_random(line(request, "Question"), "hard").random() < 0.3
    told = dict(entry.split(". ", 1) for entry in lines(request, "Options"))
    errs = seeded_random(request.id, "errs").random() < (0.8 if hard else 0.02)
    return {
        "answer": "It was amber.", "sentences": [1],
        "answers": {name: {"reason": "so", "right": text.endswith(RIGHT) != errs} for name, text in told.items()}
    }  # fmt: skip


def comparison(request: Request) -> dict[str, Any]:
    """What all say of a conclusion or a stem, or once in a while something else."""
    good, *bad = (
        ("faithful", "distorted", "no_conclusion", "cannot_say")
        if request.step == "compare_conclusion"
        else ("same", "changed", "unanswerable", "cannot_say")
    )
    text = line(request, "Conclusion" if request.step == "compare_conclusion" else "After")
    common = good if seeded_random(text, "said").random() < 0.8 else seeded_random(text, "bad").choice(bad)
    own = seeded_random(request.id, "own")
    return {"reason": "seen", "verdict": common if own.random() < 0.8 else own.choice([good, *bad])}


def picked(request: Request) -> dict[str, Any]:
    """A thing of the question that was not chosen before."""
    stem, earlier = line(request, "Question"), lines(request, "Chosen earlier")
    left = [thing for thing in THINGS if thing in stem and thing not in earlier]
    return {"rationale": "so", "kind": "method" if left else "none", "entity": left[0] if left else ""}


def described(request: Request) -> dict[str, Any]:
    """The question with a phrase of its own in the place of the thing."""
    words = " ".join(seeded_random(request.id, "words").sample(SHORT, 3))
    stem = line(request, "Question").replace(line(request, "To be described"), words)
    return {"rationale": "so", "sources": [1], "phrase": words, "question": stem}


def summary(request: Request) -> dict[str, Any]:
    """Each fact as a sentence."""
    told = (re.match(r"(\d+)\. (.+) \((.+)\)$", entry) for entry in lines(request, "Facts"))
    return {
        "statements": [{"facts": [int(one[1])], "statement": one[2].replace(" | ", " ") + "."} for one in told if one]
    }


ANSWERS = {
    "choose_class": choice,
    "choose_topic": choice,
    "summarise_knowledge": summary,
    "write_inference": inferred,
    "infer_correct_options": correct,
    "check_stem": soundness,
    "check_evidence": carrying,
    "infer_distractors": families,
    "extract_conclusion": conclusions,
    "ask_for_conclusion": asking,
    "mislead": misleading,
    "replace_distractors": replaced,
    "judge_item": judgements,
    "pick_entity": picked,
    "describe_entity": described,
    **dict.fromkeys(("check_inference", "check_reconstruction"), verdicts),
    **dict.fromkeys(("compare_conclusion", "compare_stems"), comparison),
}


# ------------------------------------------------------------------------------------------------ everybody


@dataclass(frozen=True)
class Temper:
    """How good a world is: the shares of requests refused, options left as placeholders, searches that fail.

    `judges` is the share of judges that refuse, `foreign` whether graphs tell of what options name.
    """

    refuses: float = 0.0
    empty: float = 0.0
    searches: float = 0.0
    judges: float = 0.0
    foreign: bool = False

    def __call__(self, request: Request) -> str | Exception:
        """What a model says."""
        if seeded_random(request.id, "refuses").random() < (
            self.judges if request.step == "judge_item" else self.refuses
        ):
            return Refused()
        said = ANSWERS[request.step](request)
        for number, option in enumerate(said.get("options", said.get("conclusions", ()))):
            if seeded_random(request.id, number, "empty").random() < self.empty:
                option["text"] = f"Option {number}"
        return json.dumps(said)

    def look_up(self, seed: Seed, ask: EntityAsk) -> Mapping[str, Any] | Exception:
        """What a search says of a thing."""
        chance = seeded_random(ask.entity, "found").random()
        if chance < self.searches / 2:
            return ValueError("the search is down")
        if chance < self.searches:
            return EntityFound.of(Found(failures=("web: a page of limits",))).model_dump(mode="json")
        snippet = Snippet(f"It is {phrase(ask.entity)}.", "https://a.example/1", "Things")
        return EntityFound.of(Found((snippet,), "glossary"), ("grand thing",)).model_dump(mode="json")

    def find_facts(self, seed: Seed, ask: TopicAsk) -> Mapping[str, Any]:
        """What graphs know of an item's document: nothing of each third."""
        facts = KNOWN[: seed.slot % 3]
        foreign = (FOREIGN,) if self.foreign and facts else ()
        return TopicFacts.of(facts, (), ("a graph",), foreign).model_dump(mode="json")


def people(due: Due) -> Mapping[str, Any]:
    """People who decide by the option alone, not all alike."""
    against = "discard" if due.agent.name == "review_stem" else "reject"
    said = (
        seeded_random(due.about, due.run).choice(["keep", against, "cannot_say"])
        if due.run < len(NAMES) // 2
        else "keep"
    )
    return {"decision": said, "reason": "so it is"}


def world(pipeline: Choice, temper: Temper, documents: Mapping[str, Document] | None = None) -> World:
    """All who answer."""
    services: dict[str, Service] = {SEARCH: temper.look_up, GRAPHS: temper.find_facts}
    return World(pipeline.campaign, documents or DOCUMENTS, temper, people, services)


# ------------------------------------------------------------------------------------------------ campaigns


def document(number: int) -> Document:
    """A small article with a Discussion."""
    parts = {"Methods": 3, "Results": 5, "Discussion": 3}
    text, sections = "", []
    for title, count in parts.items():
        spans = []
        for n in range(count):
            sentence = f"The {title} of report {number} tell of {phrase(number, title, n)}."
            spans.append(Span(len(text), len(text) + len(sentence)))
            text += f"{sentence} "
        sections.append(Section(title, "body", tuple(spans)))
    return Document(f"{number:032x}", f"report-{number}.md", f"Report {number}", text, tuple(sections), language="en")


DOCUMENTS = {one.id: one for one in map(document, range(6))}


def campaign(name: str, **parts: Any) -> Campaign:
    """A campaign on scripted models: one writer, three checkers of two runs, two judges."""
    panel = parts.pop("panel", Panel(("red", "green", "blue"), 2))
    judges, rule = parts.pop("judges", Panel(("red", "green"))), parts.pop("rule", RULE)
    parts = {**UNCHECKED, **parts}
    quota, review = parts.pop("quota", Quota()), parts.pop("review", Policy())
    models = {name: Model(name, "direct", name, "http://127.0.0.1:9/v1") for name in ("writer", "red", "green", "blue")}
    roles = {
        **dict.fromkeys(WRITERS, Panel(("writer",))),
        **dict.fromkeys(CHECKERS, panel),
        "judge_item": judges,
        **parts.pop("roles", {}),
    }
    return Campaign("test", name, ("*.md",), models, roles, rule, quota, parts, review=review)


RULE = Rule(Fraction(2, 3), Fraction(1, 3), 2)


def inference(**parts: Any) -> Inference:
    """The pipeline of such a campaign, with a graph."""
    return Inference.of(campaign("inference", **{"knowledge": GRAPH, "distractors": 3, **parts}), Path())


def reconstruction(**parts: Any) -> Reconstruction:
    """The pipeline of such a campaign."""
    return Reconstruction.of(campaign("reconstruction", **{"distractors": 3, **parts}), Path())


def seeds(pipeline: Choice, most: int, documents: Mapping[str, Document] | None = None) -> list[Seed]:
    """Items that such a campaign begins with."""
    outlines = [outline(one, pipeline.shows(one)) for one in (documents or DOCUMENTS).values()]
    return list(pipeline.admit(outlines, Progress(0, (), most)))
