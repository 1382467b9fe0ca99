"""What the models of a benchmark say to the roles of recall: sound answers, made of the request alone."""

import json
import re
from hashlib import sha256
from typing import Any

KINDS = ("role", "place", "time", "context", "measure", "population")
RIGHT, WRONG = "established", "supposed"  # by these words a checker knows which option is which
OPTION = re.compile(r"^([A-Z]+)\. (.+)$", re.MULTILINE)

LETTERS = str.maketrans("0123456789abcdef", "bdfghjklmnprstvw")  # a number would have to stand in the document
Json = dict[str, Any]


def phrase(*parts: object) -> str:
    """Words that depend on the parts alone, and that two of which hardly ever share."""
    digest = sha256(repr(parts).encode()).hexdigest().translate(LETTERS)
    return " ".join(digest[place : place + 6] for place in range(0, 60, 6))


def said(step: str, schema: Json, task: str, key: str) -> str:
    """The answer to a role, a JSON object; `key` tells apart requests that are alike otherwise."""
    properties = schema["properties"]
    match step:
        case "choose_class" | "choose_topic":
            answer: Json = {"rationale": "because", "suitable": [1, 2, 3], "best": 1}
        case "write_question":
            answer = {"rationale": "because", "evidence": [1, 2], "question": f"Which {phrase(key)} was it?"}
        case "write_correct_options":
            answer = {"options": [{"rationale": "so", "evidence": [1], "text": f"{RIGHT} {phrase(key)}"}]}
        case "design_distractors":
            texts = (f"{WRONG} {phrase(key, number)}" for number in range(properties["options"]["maxItems"]))
            answer = {
                "options": [
                    {"confusion": KINDS[number % 6], "rationale": "so", "evidence": [2], "text": text}
                    for number, text in enumerate(texts)
                ]
            }
        case _:
            verdicts = {name: "correct" if text.startswith(RIGHT) else "wrong" for name, text in OPTION.findall(task)}
            names = properties["verdicts"]["properties"]
            said = {name: {"sentences": [1], "reason": "seen", "verdict": verdicts[name]} for name in names}
            answer = {"answer": "seen", "sentences": [1], "verdicts": said}
    return json.dumps(answer)
