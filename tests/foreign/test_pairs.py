"""The stranger's pipeline keeps the contract of pipelines, in both of its phases."""

from pathlib import Path
from typing import Any

import pytest
from tests.contracts.pipeline import NAMES, pipeline_contract
from tests.foreign.body import Pair, Query
from tests.foreign.kind import PAIRS
from tests.foreign.pipeline import JUDGEMENTS, QUERIES, Pairs

from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.campaign import Campaign, Model, Panel
from benchwright.domain.ids import canonical, seeded_random
from benchwright.domain.item import Progress, Seed
from benchwright.domain.opinion import Policy
from benchwright.domain.source import ItemRef, Outline, RecordRef
from benchwright.domain.vote import Rule
from benchwright.pipelines.base import HUMAN, Due

CORPUS = [Outline(RecordRef(f"record{n}"), body={"id": f"d{n}", "text": f"text {n}"}) for n in range(5)]
GRADES = (0, 1, 2, 3, None)


def pairs(opinions: int = 1, **settings: Any) -> Pairs:
    models = {name: Model(name, "direct", name) for name in ("red", "green", "blue")}
    roles = {"write_query": Panel(("red",)), "grade_pair": Panel(("red", "green", "blue"), 2)}
    campaign = Campaign(
        name="pairs",
        pipeline="pairs",
        corpus=(),
        models=models,
        roles=roles,
        rule=Rule(1, 1),  # type: ignore[arg-type]
        settings=settings,
        review=Policy(opinions),
    )
    return Pairs.of(campaign, Path())


def say(seed: Seed, due: Due) -> Answer:
    """What anybody says, from the question alone; sometimes nothing."""
    chance = seeded_random(seed.id, due.key)
    if due.to == HUMAN:
        body: dict[str, Any] = {"grade": chance.choice(GRADES[:4]), "reason": "", "decision": "", "text": ""}
        return Answer(due.agent.name, due.about, f"human:{NAMES[due.run]}", canonical(body))
    if chance.random() < 0.15:
        return failure_answer(due.agent.name, due.about, due.by, "refused", "no")
    query = due.agent.name == "write_query"
    body = {"query": f"query {seed.slot}"} if query else {"reason": "so", "grade": chance.choice(GRADES)}
    return Answer(due.agent.name, due.about, due.by, canonical(body))


def queries(made: Pairs) -> list[Outline]:
    """The first phase's items, as the second one finds them."""
    bodies = [Query(f"query {n}", f"d{n}", n) for n in range(len(CORPUS))]
    return [Outline(ItemRef(f"item{n}"), body=PAIRS.write(body)) for n, body in enumerate(bodies)]


def test_queries_keep_the_contract() -> None:
    made = pairs()
    seeds = made.admit(CORPUS, Progress(0, (), 9, QUERIES, CORPUS))

    assert [seed.about for seed in seeds] == [one.about for one in CORPUS]
    assert {end.cause for end in pipeline_contract(made, seeds, say)} == {"kept", "no query"}


@pytest.mark.parametrize("waves", ["runs", "eager", "frugal", "calls"])
@pytest.mark.parametrize("opinions", [1, 2])
def test_pairs_keep_the_contract_whatever_the_waves_and_how_many_people_are_asked(opinions: int, waves: str) -> None:
    made = pairs(opinions, waves=waves)
    seeds = made.admit(queries(made), Progress(0, (), 15, JUDGEMENTS, CORPUS))
    ends = pipeline_contract(made, seeds, say, orders=2)

    assert {end.cause for end in ends} == {"graded", "graded by people"}
    assert all(isinstance(end.body, Pair) and end.body.grade is not None for end in ends)


def test_each_query_is_paired_with_its_own_record_and_those_behind_it() -> None:
    made = pairs(depth=2)
    seeds = made.admit(queries(made), Progress(0, (), 99, JUDGEMENTS, CORPUS))

    assert len(seeds) == 10
    assert [seed.about for seed in seeds][-2:] == [
        (ItemRef("item4"), RecordRef("record4")),
        (ItemRef("item4"), RecordRef("record0")),
    ]


def test_stopping_early_leaves_out_graders_and_changes_no_grade() -> None:
    """The same words, asked for all at once or in waves."""
    ends = []
    for waves in ("eager", "runs", "frugal"):
        made = pairs(waves=waves)
        seeds = made.admit(queries(made), Progress(0, (), 15, JUDGEMENTS, CORPUS))
        found = pipeline_contract(made, seeds, say, orders=0)
        ends.append([(end.cause, end.body.grade if end.body else None) for end in found])

    assert ends[0] == ends[1] == ends[2]
