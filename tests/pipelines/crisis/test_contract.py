"""The pipeline keeps the contract of pipelines in each of its phases, whoever says what."""

from dataclasses import replace
from fractions import Fraction

import pytest
from tests.contracts.pipeline import pipeline_contract
from tests.pipelines.crisis.making import corpus, crisis, say

from benchwright.domain.item import Ending, ItemState, Progress, Seed
from benchwright.domain.source import ItemRef, Outline
from benchwright.pipelines.crisis.body import Answered, Judged, QuestionSet, Scene
from benchwright.pipelines.crisis.kind import CRISIS
from benchwright.pipelines.crisis.pipeline import Crisis


def kept(ends: list[Ending], seeds: list[Seed]) -> list[Outline]:
    """What the next phase draws on."""
    pairs = [(end, seed) for end, seed in zip(ends, seeds, strict=True) if end.state is ItemState.KEPT]
    return [Outline(ItemRef(seed.id), body=CRISIS.write(end.body)) for end, seed in pairs if end.body]


def begin(made: Crisis, phase: str, sources: list[Outline]) -> list[Seed]:
    """All items of a phase."""
    return list(made.admit(sources, Progress(0, (), 999, phase, sources)))


def run(made: Crisis, phase: str, sources: list[Outline], orders: int = 1) -> tuple[list[Ending], list[Outline]]:
    """Hold a phase to the contract."""
    seeds = begin(made, phase, sources)
    ends = pipeline_contract(made, seeds, say, orders=orders, ends_of=9)
    return ends, kept(ends, seeds)


@pytest.mark.parametrize("opinions", [1, 2])
def test_each_phase_keeps_the_contract_and_hands_on_what_it_kept(opinions: int) -> None:
    made = crisis(
        opinions=opinions,
        embedders=("vectors",),
        experts=0.5,
        compared=0.7,
        evaluators=2,
        attention=0.5,
        pairwise="all",
    )
    ends, scenes = run(made, "scenes", corpus()[1:])
    assert {type(end.body) for end in ends if end.state is ItemState.KEPT} == {Scene}
    ends, sets = run(made, "questions", scenes)
    assert {type(end.body) for end in ends if end.body} == {QuestionSet}
    assert all(len(end.body.kept) == 3 for end in ends if end.state is ItemState.KEPT and end.body)
    ends, answers = run(made, "answers", sets[:2])
    assert {type(end.body) for end in ends if end.body} == {Answered}
    ends, _ = run(made, "judgement", answers[:4])
    assert {type(end.body) for end in ends if end.body} == {Judged}


@pytest.mark.parametrize("waves", ["eager", "frugal", 2])
def test_questions_keep_the_contract_whatever_the_waves(waves: str | int) -> None:
    made = crisis(waves=waves, refills=1, min_questions=1, leak=0.0)
    made = replace(made, campaign=replace(made.campaign, review=replace(made.campaign.review, audit=Fraction(1, 2))))
    _, scenes = run(made, "scenes", corpus()[:1])
    ends, _ = run(made, "questions", scenes)
    assert {end.cause for end in ends} <= {"verified", "too few questions", "write_questions: refused"}
