"""What pipelines expect of each role, against items that scripted worlds make."""

from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests import scripted_choice as choices
from tests.contracts.pipeline import Run
from tests.pipelines.choice import test_recall_contract as recalled
from tests.scripted_choice import Temper, inference, reconstruction, seeds, world
from tests.scripted_recall import CHECKED, campaign, pipeline

from benchwright.domain.campaign import Panel, Quota
from benchwright.domain.item import ItemState
from benchwright.domain.vote import Rule
from benchwright.pipelines.base import Served
from benchwright.pipelines.choice.expecting import panel_calls
from benchwright.pipelines.choice.inference import Inference
from benchwright.pipelines.choice.recall import Recall

TEMPERS = (Temper(), Temper(0.05, 0.1, 0.3, 0.1, foreign=True))
QUOTA = Quota(4)
REFINING = {"judge_item", "pick_entity", "describe_entity", "compare_stems"}


def count_calls(run: Run) -> Counter[str]:
    """How often each role was asked about an item that has ended."""
    return Counter(key.partition("/")[0] for key in run.answered)


def worlds(name: str) -> list[tuple[Any, Any, list[Any]]]:
    """Pipelines of that name, who answers, and items."""
    if name == "recall":
        made = pipeline(quota=QUOTA, **CHECKED)
        return [
            (made, recalled.world(made, recalled.Temper(*t)).say, recalled.seeds(made, 8)) for t in ((), (0.05, 0.2))
        ]
    make = inference if name == "inference" else reconstruction
    other = make(quota=QUOTA, **CHECKED)
    return [(other, world(other, temper).say, seeds(other, 8)) for temper in TEMPERS]


@pytest.mark.untraced  # whole items
@pytest.mark.parametrize("name", ["recall", "inference", "reconstruction"])
def test_no_item_takes_more_than_its_pipeline_expects_and_no_kept_one_less(name: str) -> None:
    seen = Counter[str]()
    for made, say, items in worlds(name):
        expected = {one.role: one for one in made.expect()}
        code = {role.name for role in made.roles if role.served is Served.CODE}
        for seed in items:
            run = Run(made, seed, say)
            end = run.to_the_end(Random(0))
            found = count_calls(run)
            seen.update(found)
            for role, number in found.items():
                assert role in code or number <= expected[role].calls[1], (role, number, expected[role])
            for role, one in expected.items():
                assert end.state is not ItemState.KEPT or found[role] >= one.calls[0], (role, found[role], one)
    assert {role.name for role in made.roles if role.served is not Served.CODE} - set(seen) <= {
        "review_option",
        "review_stem",
        "summarise_knowledge",
    }


def test_the_replies_and_questions_that_are_expected_have_a_length() -> None:
    for made in (pipeline(), inference(), reconstruction()):
        for one in made.expect():
            assert 0 <= one.calls[0] <= one.calls[1]
            assert 0 <= one.reply[0] <= one.reply[1]
            assert one.ask >= 0


def test_a_stem_that_stays_as_it_is_written_costs_nobody() -> None:
    roles = {one.role for one in inference(refine=False).expect()}
    assert not roles & REFINING


def test_facts_are_only_summarised_where_a_graph_is_asked() -> None:
    graphs = {"graphs": [{"form": "triples", "path": "facts.csv"}]}
    with_graphs, without = inference(knowledge=graphs), inference(knowledge=None)
    assert "summarise_knowledge" in {one.role for one in with_graphs.expect()}
    assert "summarise_knowledge" not in {one.role for one in without.expect()}


def test_a_panel_that_agrees_stops_after_the_waves_that_settle_it() -> None:
    rule = Rule(Fraction(2, 3), Fraction(1, 3), 2)
    assert panel_calls(Panel(("red",), 3), rule, 3) == (2, 3)
    assert panel_calls(Panel(("red", "green", "blue"), 2), rule, 1) == (6, 6)
    assert panel_calls(Panel(("red",), 1), Rule(Fraction(1), Fraction(1)), 1) == (1, 1)


def test_hardening_takes_nobody_but_one_judge_or_all_rounds_with_all_their_tries() -> None:
    refine = {"rounds": 3, "measures": 2, "tries": 2}
    made = inference(refine=refine, judges=Panel(("red", "green"), 2), panel=Panel(("red", "green", "blue"), 2))
    calls = {one.role: one.calls for one in made.expect() if one.role in REFINING}

    assert calls == {
        "judge_item": (1, 4 * 2 * (1 + 3 + 1)),  # the first stem, each rewritten one, new distractors: measured twice
        "pick_entity": (0, 3),
        "describe_entity": (0, 3 * 2),
        "compare_stems": (0, 3 * 2 * 6),
    }


def test_each_conclusion_may_be_compared_by_the_whole_panel_and_one_at_least_by_a_wave() -> None:
    rule = Rule(Fraction(1, 2), Fraction(1, 3), 2)  # three of six suffice
    made = reconstruction(most_correct=3, panel=Panel(("red", "green", "blue"), 2), rule=rule)
    first, compared, asked, *_ = made.expect()

    assert (first.role, first.calls) == ("extract_conclusion", (1, 1))
    assert (compared.role, compared.calls) == ("compare_conclusion", (3, 6 * 3))
    assert (asked.role, asked.calls) == ("ask_for_conclusion", (1, 1))


def test_where_a_taxonomy_has_one_class_only_nobody_is_asked_to_choose_it(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text('[[classes]]\nname = "Care"\n[[classes.topics]]\nname = "Beds"\n', "utf-8")
    made: tuple[Recall | Inference, ...] = (
        Recall.of(campaign(taxonomy="one.toml"), tmp_path),
        Inference.of(choices.campaign("inference", taxonomy="one.toml"), tmp_path),
    )
    for one in made:
        roles = {expected.role for expected in one.expect()}
        assert "choose_topic" in roles
        assert "choose_class" not in roles
