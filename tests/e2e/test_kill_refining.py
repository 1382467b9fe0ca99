"""kill -9 of campaigns that look things up and refine stems: at random moments, and while a refinement is under way.

As in `test_kill`: after each kill the same command goes on, nothing completed is paid twice, the set is the same.
"""

import csv
import json
import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from tests.e2e.machine import begin_anew, command, ledger, rows, sound
from tests.e2e.models import Models, serving
from tests.e2e.test_kill import ENDS, SEED, Left, export, killed, nothing_completed_was_paid_twice

from benchwright.domain.filler import WORDS, phrase
from benchwright.drill.child import contents

MORE = int(os.environ.get("BENCHWRIGHT_KILLS", "0"))  # how often at least each is killed; scripts/endure sets it
MOST = 40  # requests of a run before it is killed
LATENCY = 0.02  # seconds
UNDER_WAY = """
SELECT DISTINCT step FROM answers JOIN items ON items.seq = answers.item AND items.state = 'open'
WHERE step IN ('pick_entity', 'look_up', 'describe_entity', 'compare_stems')
"""
CAMPAIGN = """
name = "refined"
pipeline = "{pipeline}"
corpus = ["documents"]
[{pipeline}]
distractors = 2
min_options = 2
refills = 1
several_correct = 0.0
none_correct = 0.0
no_correct = "keep"
check_stems = false
check_evidence = false
[{pipeline}.search]
glossary = "glossary.csv"
[{pipeline}.refine]
alpha = 0.7
threshold = 0.9
rounds = 3
{more}
[rule]
accept = 0.6
reject = 0.5
quorum = 2
[models.writer]
base_url = "{url}"
model = "stub"
width = 2
[models.second]
base_url = "{url}"
model = "other"
width = 2
[models.third]
base_url = "{url}"
model = "other"
temperature = 1.0
width = 2
[roles]
default = "writer"
check_{pipeline} = {{ panel = ["writer", "second", "third"] }}
judge_item = {{ panel = ["writer", "second", "third"] }}
"""
KNOWLEDGE = """
[inference.knowledge]
graphs = [{ form = "triples", path = "facts.csv", label = "facts" }]
vocabularies = []
"""
SECTIONS = {"Methods": 2, "Results": 6, "Discussion": 4}  # sentences


def campaign(folder: Path, url: str, pipeline: str, reports: int) -> Path:
    """A campaign file with its documents, a glossary of most words, a graph of all of them."""
    (folder / "documents").mkdir(parents=True)
    for number in range(reports):
        (folder / "documents" / f"report-{number}.md").write_text(report(number), "utf-8")
    known = [(word, f"what {word} is") for number, word in enumerate(WORDS) if number % 4]
    written(folder / "glossary.csv", ("term", "description"), known)
    triples = [(one, "spreads to", two) for one, two in pairwise(WORDS)]
    written(folder / "facts.csv", ("subject", "relation", "object"), triples)
    more = KNOWLEDGE if pipeline == "inference" else ""
    file = folder / "refined.toml"
    file.write_text(CAMPAIGN.format(pipeline=pipeline, url=url, more=more), "utf-8")
    return file


def report(number: int) -> str:
    """An article with a discussion."""
    parts = [f"# Report {number}"]
    for title, count in SECTIONS.items():
        told = " ".join(f"This part tells of {phrase(number, title, n)}." for n in range(count))
        parts.append(f"## {title}\n\n{told}")
    return "\n\n".join(parts)


def written(file: Path, columns: Sequence[str], table: Sequence[Sequence[str]]) -> None:
    """Write a table."""
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([columns, *table])


def disturbed(file: Path, models: Models, kills: int) -> tuple[list[Left], list[set[str]]]:
    """Kill so often, and on until a kill has met a refinement; what each left, and the steps of refinements under way.

    One is under way where an item that has not ended has answers of a rewrite, in the campaign as the kill left it.
    The first kill comes at the start, perhaps while graphs are being loaded, and may leave nothing to see.
    """
    chance, left, under_way, at_start = Random(SEED), list[Left](), list[set[str]](), True
    while len(left) < kills or not (any(under_way) or len(left) > 3 * kills):
        one, at_start = killed(file, models, chance, at_start=at_start, most=MOST), False
        if one:
            left.append(one)
            under_way.append({step for (step,) in rows(file.parents[1] / "look" / file.name, UNDER_WAY)})
    return left, under_way


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("pipeline", "kills"), [("inference", 3), ("reconstruction", 2)])
def test_a_campaign_killed_while_it_refines_stems_exports_the_same_bytes_and_pays_nothing_completed_twice(
    pipeline: str, kills: int, tmp_path: Path
) -> None:
    kills = max(kills, MORE)
    with serving(LATENCY) as models:
        reports = (3 if pipeline == "inference" else 8) + kills // 3  # so that some items turn out easy
        whole, cut = (campaign(tmp_path / name, models.url, pipeline, reports) for name in ("whole", "cut"))
        assert begin_anew("run", whole).end().code in ENDS
        before = len(models.traces)
        left, under_way = disturbed(cut, models, kills)
        assert command("run", cut).code in ENDS
        seen = models.traces
    assert any(one.traces("intended") for one in left)
    assert any(under_way)
    nothing_completed_was_paid_twice(seen, before, left, ledger(cut))
    sound(cut)
    exported = [contents(export(file)) for file in (whole, cut)]
    assert exported[0] == exported[1]
    items = [json.loads(line) for line in exported[0]["provenance.jsonl"].splitlines()]
    assert any(len(item["difficulty"]["versions"]) > 1 for item in items)
