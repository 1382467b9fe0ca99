"""What the tests of the kind `crisis` share: a pipeline, scenes, and everybody who answers, by chance."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.contracts.pipeline import NAMES
from tests.crisis.campaign import RECORDS
from tests.crisis.models import WHEN

from benchwright.domain.answer import HUMAN, Answer, failure_answer
from benchwright.domain.campaign import Campaign, Model, Panel, Quota
from benchwright.domain.ids import canonical, seeded_random
from benchwright.domain.item import Seed
from benchwright.domain.opinion import Policy
from benchwright.domain.source import Outline, RecordRef
from benchwright.domain.vote import Rule
from benchwright.pipelines.base import Due
from benchwright.pipelines.crisis.pipeline import Crisis

PANELS = ("check_questions", "check_resource", "answer_question", "judge_answer", "compare_answers")
RULE = Rule(Fraction(3, 5), Fraction(2, 5), 2)
FORM = {
    "problem": "the stairs burn",
    "missing_resource": "water",
    "solution_immediate": "run down and call",
    "explanation_immediate": "smoke kills",
    "solution_week": "close the tower",
    "explanation_week": "it may fall",
    "solution_month": "build stone stairs",
    "explanation_month": "they do not burn",
}


def crisis(
    *,
    opinions: int = 1,
    embedders: tuple[str, ...] = (),
    models: Mapping[str, Model] | None = None,
    quota: Quota | None = None,
    **settings: Any,
) -> Crisis:
    """A pipeline of two models."""
    catalogue = models or {name: Model(name, "direct", name) for name in ("red", "blue")}
    ones = ("caption_scene", "annotate_scene", "classify_resource", "write_questions")
    roles = {name: Panel(("red",)) for name in ones} | {name: Panel(("red", "blue")) for name in PANELS}
    roles["embed_texts"] = Panel(embedders)
    campaign = Campaign(
        name="trouble",
        pipeline="crisis",
        corpus=(),
        models=catalogue,
        roles=roles,
        rule=RULE,
        quota=quota or Quota(),
        settings=settings,
        review=Policy(opinions),
    )
    return Crisis.of(campaign, Path())


def corpus(*records: Mapping[str, Any]) -> list[Outline]:
    """Records as a campaign has taken them in."""
    found = records or RECORDS
    return [Outline(RecordRef(f"record{n}"), body=dict(one)) for n, one in enumerate(found)]


def say(seed: Seed, due: Due) -> Answer:
    """What anybody says, from the question alone; sometimes nothing."""
    chance = seeded_random(seed.id, due.key)
    if due.to == HUMAN:
        return Answer(due.agent.name, due.about, f"human:{NAMES[due.run]}", canonical(person(due, chance)))
    if chance.random() < 0.05:
        return failure_answer(due.agent.name, due.about, due.by, "refused", "no")
    return Answer(due.agent.name, due.about, due.by, canonical(model(due, chance)))


def person(due: Due, chance: Any) -> dict[str, Any]:
    """What a person fills in."""
    if due.agent.name == "fill_scene":
        choice = "discard" if chance.random() < 0.1 else "save"
        return {**FORM, "decision": choice, "reason": "no" if choice == "discard" else "", "text": ""}
    if due.agent.name == "prefer_answer":
        sides = {
            name: chance.choice(["first", "second", "tie"]) for name in ("sufficiency", "usefulness", "correctness")
        }
        danger = chance.choice(["", "neither", "first", "second", "both"])
        return {**sides, "danger": danger, "reason": "", "decision": "", "text": ""}
    return {"decision": chance.choice(["keep", "keep", "keep", "reject"]), "reason": "", "text": ""}


def model(due: Due, chance: Any) -> dict[str, Any]:
    """What a model says to a role."""
    made: dict[str, Callable[[], dict[str, Any]]] = {
        "caption_scene": lambda: {"caption": "One sees a burning tower."},
        "annotate_scene": lambda: {
            "problem": "fire",
            "missing_resource": "water",
            **{time: {"solution": f"do {time}", "explanation": "it helps"} for time in WHEN},
        },
        "classify_resource": lambda: {"reason": "so", "best": chance.randint(1, 5)},
        "check_resource": lambda: verdict(chance),
        "write_questions": lambda: questions(due, chance),
        "check_questions": lambda: {"verdicts": {one.name: verdict(chance) for one in due.ask.criteria}},
        "measure_likeness": lambda: {"by": "vectors", "cosines": [chance.uniform(-1, 1) for _ in due.ask.others]},
        "answer_question": lambda: {"action": " ".join(["act"] * chance.choice([5, 20])), "explanation": "it helps"},
        "judge_answer": lambda: marks(chance),
        "compare_answers": lambda: {
            name: {"justification": "so", "better": chance.choice(["first", "second", "tie"])}
            for name in ("resource_management", "feasibility", "individual_impact")
        },
    }
    return made[due.agent.name]()


def verdict(chance: Any) -> dict[str, str]:
    return {"reason": "so", "verdict": chance.choices(["yes", "no", "cannot_say"], [9, 1, 1])[0]}


def marks(chance: Any) -> dict[str, Any]:
    names = ("resource_management", "feasibility", "individual_impact")
    found: dict[str, Any] = {name: {"justification": "so", "score": chance.randint(1, 5)} for name in names}
    return {**found, "danger": {"justification": "so", "endangers_life": chance.random() < 0.2}}


def questions(due: Due, chance: Any) -> dict[str, str]:
    """A question for each time that is wanted; some are missing, some say the wrong time, some are none."""
    found = dict.fromkeys(WHEN, "")
    for one in due.ask.wanted:
        text = f"{WHEN[one.time]}, what should be done about the {due.ask.incident}, try {due.about}?"
        found[one.time] = chance.choices([text, "", "A month later, what then?", "Do it right away."], [8, 1, 1, 1])[0]
    return found
