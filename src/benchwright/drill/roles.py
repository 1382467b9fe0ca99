"""What the drill's models say to each role: sound answers that string words together, from the request alone."""

import json
import re
from typing import Any

from benchwright.domain.ids import seeded
from benchwright.drill.provider import WORDS, completion, digest


def said(body: dict[str, Any]) -> dict[str, Any]:
    """What any model says to any role; the properties that are wanted tell which role it is."""
    wanted = body["response_format"]["json_schema"]["schema"]["properties"]
    made = next(make for key, make in MADE.items() if key in wanted)
    return completion(body, json.dumps(made(body, wanted)))


def phrase(*parts: object) -> str:
    """Some words that depend on the parts alone."""
    return " ".join(seeded(*parts).choices(WORDS, k=7))


def choice(body: dict[str, Any], wanted: Any) -> dict[str, Any]:
    """Any entries of the list, and any of them as the best."""
    most = wanted["best"]["maximum"]
    return {"rationale": "because", "suitable": [*range(1, most + 1)], "best": seeded(digest(body)).randint(1, most)}


def question(body: dict[str, Any], _: Any) -> dict[str, Any]:
    """A question like no other."""
    return {"rationale": "because", "evidence": [1, 2], "question": f"Which {phrase(digest(body))} was it?"}


def options(body: dict[str, Any], wanted: Any) -> dict[str, Any]:
    """One right option, or as many distractors as may be."""
    confused = "confusion" in json.dumps(body["response_format"])
    count = wanted["options"]["maxItems"] if confused else 1
    return {"options": [option(body, number, confused=confused) for number in range(count)]}


def option(body: dict[str, Any], number: int, *, confused: bool) -> dict[str, Any]:
    """One option, a distractor with what it confuses."""
    made = {"rationale": "so", "evidence": [1 + number], "text": phrase(digest(body), number)}
    return made | ({"confusion": ("role", "place", "time", "context")[number % 4]} if confused else {})


def verdicts(body: dict[str, Any], wanted: Any) -> dict[str, Any]:
    """A verdict under each letter."""
    lines = dict(re.findall(r"^([A-Z])\. (.+)$", body["messages"][-1]["content"], flags=re.MULTILINE))
    names = wanted["verdicts"]["properties"]
    return {"verdicts": {name: {"reason": "seen", "verdict": opinion(body, lines[name])} for name in names}}


def opinion(body: dict[str, Any], text: str) -> str:
    """A checker mostly says of a text what all say of it."""
    common = seeded(text).choice(("correct", "wrong", "wrong", "wrong", "flawed"))
    own = seeded(digest(body), text)
    return common if own.randrange(5) else own.choice(("correct", "wrong", "flawed", "cannot_say"))


MADE = {"best": choice, "question": question, "options": options, "verdicts": verdicts}
