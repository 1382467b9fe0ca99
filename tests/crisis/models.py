"""What models say to the roles of questions about incidents: from the request alone, content that their agents take."""

import json
import re
from typing import Any

from tests.stub import completion, digest

from benchwright.domain.filler import phrase
from benchwright.domain.ids import seeded_random

WHEN = {"immediate": "Right away", "week": "A week later", "month": "A month later"}


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """An answer to whatever role asks."""
    return completion(body, json.dumps(reply(body)))


def reply(body: dict[str, Any]) -> dict[str, Any]:
    """The content of the answer, by the fields that are wanted."""
    schema = body["response_format"]["json_schema"]["schema"]
    wanted, chance = schema["properties"], seeded_random(digest(body))
    words = phrase(digest(body))
    if "caption" in wanted:
        return {"caption": f"One sees {words}."}
    if "missing_resource" in wanted:
        remedies = {time: {"solution": f"bring {words} {time}", "explanation": "it helps"} for time in WHEN}
        return {"problem": f"trouble with {words}", "missing_resource": "light", **remedies}
    if "best" in wanted:
        return {"reason": "it belongs there", "best": 1 + chance.randrange(wanted["best"]["maximum"])}
    if "verdicts" in wanted:
        return {"verdicts": {name: verdict(chance) for name in wanted["verdicts"]["properties"]}}
    if "verdict" in wanted:
        return verdict(chance)
    if "danger" in wanted:
        marks = {name: {"justification": "so it is", "score": chance.randint(1, 5)} for name in wanted if name != "danger"}
        return {**marks, "danger": {"justification": "nobody is hurt", "endangers_life": chance.random() < 0.1}}
    if "action" in wanted:
        return {"action": f"Bring {words}.", "explanation": f"It helps with {words}."}
    if set(wanted) <= set(WHEN):
        return {time: f"{WHEN[time]}, what should be done about {words} {time[0]}?" for time in wanted}
    return {name: {"justification": "so", "better": chance.choice(["first", "second", "tie"])} for name in wanted}


def verdict(chance: Any) -> dict[str, str]:
    """Mostly yes, so that most questions stand and people decide on some."""
    return {"reason": "the words say so", "verdict": chance.choices(["yes", "no", "cannot_say"], [12, 1, 1])[0]}


def of_role(body: dict[str, Any], word: str) -> bool:
    """Whether the last turn of a request holds a word."""
    return bool(re.search(word, str(body["messages"][-1]["content"])))
