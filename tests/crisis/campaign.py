"""A small campaign of questions about incidents: three scenes by four people, one of them not noted yet."""

import json
from pathlib import Path
from typing import Any

TIMES = ("immediate", "week", "month")
RECORDS: list[dict[str, Any]] = [
    {
        "scene": "bridge",
        "annotator": "ada",
        "text": "A river has carried off the middle of a wooden bridge. Two carts wait on one bank.",
        "incidents": ["flooded", "collapsed"],
        "places": ["bridge"],
        "problem": "carts cannot cross to the mill",
        "missing_resource": "a passable way over the river",
        "solutions": [
            "stop all carts and mark the gap",
            "bring flour over by rowing boat",
            "lay new beams on the piers",
        ],
        "explanations": ["nobody falls into the water", "bread is baked again", "carts cross as before"],
        "licence": "CC0-1.0",
        "source": "our own",
    },
    {
        "scene": "bridge",
        "annotator": "bob",
        "text": "A river has carried off the middle of a wooden bridge. Two carts wait on one bank.",
        "incidents": ["flooded", "collapsed"],
        "places": ["bridge"],
        "problem": "the mill is cut off from the town",
        "missing_resource": "boats",
        "solutions": ["close both ends with ropes", "run a ferry twice each day", "build the bridge higher"],
        "explanations": ["people keep away", "workers reach the mill", "the next flood passes below"],
        "licence": "CC0-1.0",
        "source": "our own",
    },
    {
        "scene": "square",
        "annotator": "ada",
        "text": "Hail has broken the roof windows of a market hall. Shards lie between the stalls.",
        "incidents": "hailstorm",
        "places": "",
        "problem": "traders may cut themselves",
        "missing_resource": "a dry and safe place to sell",
        "solutions": ["lead everybody out by the side doors", "sell from tents in the yard", "fit thicker panes"],
        "explanations": ["glass still falls", "food does not spoil", "hail breaks them less"],
        "licence": "CC0-1.0",
        "source": "our own",
    },
    {
        "scene": "tower",
        "annotator": "cyd",
        "text": "Lightning has set fire to the wooden stairs of a lookout tower on a hill.",
        "incidents": ["on fire"],
        "places": ["hill"],
        "licence": "CC0-1.0",
        "source": "our own",
    },
]
CAMPAIGN = """
name = "trouble"
pipeline = "crisis"
corpus = ["scenes.jsonl"]
[crisis]
paraphrase = 0.0
{settings}
[rule]
accept = 0.7
reject = 0.4
quorum = 2
[models.writer]
base_url = "{url}"
model = "stub"
width = {width}
[models.second]
base_url = "{url}"
model = "other"
width = {width}
[roles]
default = "writer"
check_questions = {{ panel = ["writer", "second"] }}
check_resource = {{ panel = ["writer", "second"] }}
answer_question = {{ panel = ["writer", "second"] }}
judge_answer = {{ panel = ["writer", "second"] }}
compare_answers = {{ panel = ["writer", "second"] }}
"""


WANTED = 2 + 2 * 2 + 2 * 2 * 3 * 2  # two scenes noted, two pairs of each, three questions of each, each judged


def waiting(folder: Path, url: str) -> Path:
    """A campaign of scenes that are all noted, whose experts are asked first and decide with one key."""
    return campaign(folder, url, settings="experts = 1.0\ncompared = 0.0", records=RECORDS[:2])


def campaign(
    folder: Path, url: str, *, settings: str = "compared = 1.0", width: int = 4, records: Any = RECORDS
) -> Path:
    """A campaign file with its records."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scenes.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in records), "utf-8")
    file = folder / "trouble.toml"
    file.write_text(CAMPAIGN.format(url=url, settings=settings, width=width), "utf-8")
    return file
