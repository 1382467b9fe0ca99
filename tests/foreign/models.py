"""What models say to the stranger's agents: from the request alone. Of some pairs they agree, of others they do not."""

import json
from typing import Any

from tests.scripted_recall import phrase
from tests.stub import completion, digest

from benchwright.domain.ids import seeded_random

GRADES = ((0, 0), (0, 1), (2, 3), (3, 3), (0, 3), (1, 3))  # what the two graders say of a pair


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """A query, or a grade."""
    wanted = body["response_format"]["json_schema"]["schema"]["properties"]
    if "query" in wanted:
        return completion(body, json.dumps({"query": f"reports of {phrase(digest(body))}"}))
    pair = body["messages"][1]["content"]
    grade = seeded_random(str(pair)).choice(GRADES)[body["model"] == "other"]
    return completion(body, json.dumps({"reason": "it says so", "grade": grade}))
