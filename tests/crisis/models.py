"""What models say to the roles of questions about incidents: from the request alone, content that their agents take."""

import json
from typing import Any

from tests.stub import completion, digest

from benchwright.domain.filler import phrase
from benchwright.domain.ids import seeded_random

WHEN = {"immediate": "Right away", "week": "A week later", "month": "A month later"}


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """An answer to whatever role asks."""
    return completion(body, json.dumps(reply(body)))


def reply(body: dict[str, Any]) -> dict[str, Any]:
    """The content of the answer: by the first field of those that tell a role."""
    wanted = body["response_format"]["json_schema"]["schema"]["properties"]
    make = next((make for field, make in MADE.items() if field in wanted), made_of_choices)
    return make(wanted, seeded_random(digest(body)), phrase(digest(body)))


def made_draft(_: Any, __: Any, words: str) -> dict[str, Any]:
    remedies = {time: {"solution": f"bring {words} {time}", "explanation": "it helps"} for time in WHEN}
    return {"problem": f"trouble with {words}", "missing_resource": "light", **remedies}


def made_marks(wanted: Any, chance: Any, _: Any) -> dict[str, Any]:
    marks = {name: {"justification": "so", "score": chance.randint(1, 5)} for name in wanted if name != "danger"}
    return {**marks, "danger": {"justification": "nobody is hurt", "endangers_life": chance.random() < 0.1}}


def made_questions(wanted: Any, _: Any, words: str) -> dict[str, Any]:
    return {time: f"{WHEN[time]}, what should be done about {words} {time[0]}?" for time in wanted}


def made_of_choices(wanted: Any, chance: Any, _: Any) -> dict[str, Any]:
    return {name: {"justification": "so", "better": chance.choice(["first", "second", "tie"])} for name in wanted}


def verdict(chance: Any) -> dict[str, str]:
    """Mostly yes, so that most questions stand and people decide on some."""
    return {"reason": "the words say so", "verdict": chance.choices(["yes", "no", "cannot_say"], [12, 1, 1])[0]}


MADE: dict[str, Any] = {
    "caption": lambda wanted, chance, words: {"caption": f"One sees {words}."},
    "missing_resource": made_draft,
    "best": lambda wanted, chance, words: {"reason": "so", "best": 1 + chance.randrange(wanted["best"]["maximum"])},
    "verdicts": lambda wanted, chance, words: {
        "verdicts": {name: verdict(chance) for name in wanted["verdicts"]["properties"]}
    },
    "verdict": lambda wanted, chance, words: verdict(chance),
    "danger": made_marks,
    "action": lambda wanted, chance, words: {"action": f"Bring {words}.", "explanation": f"It helps with {words}."},
    "immediate": made_questions,
    "week": made_questions,
    "month": made_questions,
}


def agree(body: dict[str, Any]) -> dict[str, Any]:
    """The same, by models that find nothing wrong, so that nobody has to be asked."""
    found = reply(body)
    if "verdict" in found:
        found["verdict"] = "yes"
    for one in found.get("verdicts", {}).values():
        one["verdict"] = "yes"
    return completion(body, json.dumps(found))
