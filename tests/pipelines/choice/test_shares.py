"""How many options an item has, and how many of them are right: neither tells the other."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError
from tests.pipelines.said import SEED, ballot, correct, distractors, end, json_of, owed, question
from tests.scripted_recall import pipeline

from benchwright.domain.campaign import Panel
from benchwright.domain.item import ItemState
from benchwright.domain.statistics import independence
from benchwright.pipelines.choice.option import CORRECT
from benchwright.pipelines.choice.presets import PRESETS
from benchwright.pipelines.choice.recall import Recall, RecallSettings
from benchwright.pipelines.choice.report import ChoiceReport
from benchwright.pipelines.choice.shares import NONE, ONE, SEVERAL, SharedSettings

RIGHT = ("amber", "basin", "cedar")
WRONG = ("delta", "ember", "2021", "were seen", "and", "then cedar")
ONE_CHECKER = Panel(("red",), 2)


def drawn(**parts: Any) -> Recall:
    """Items whose number of options is drawn."""
    settings = {"distractors": None, "every_correct": False, "no_correct": "discard", "min_options": 2, **parts}
    return pipeline(panel=ONE_CHECKER, **settings)


def votes(right: tuple[str, ...], wrong: tuple[str, ...]) -> Any:
    said = dict.fromkeys(right, "correct") | dict.fromkeys(wrong, "wrong")
    return [ballot(f"red#{run}", said, right=RIGHT) for run in (1, 2)]


def test_over_a_thousand_seeds_the_number_of_options_and_of_right_ones_are_independent() -> None:
    settings = SharedSettings()
    table = Counter(
        (
            settings.wanted_options(seed, one := replace(SEED, slot=seed % 40)),
            settings.wanted_correct(one) - (settings.intended_share(one) == NONE),
        )
        for seed in range(1000)
    )
    p = independence({(options or 0, right): count for (options, right), count in table.items()})
    print(f"p = {p}", dict(sorted(table.items())))  # noqa: T201 - the figure that the test is about

    assert {options for options, _ in table} == {4, 5, 6}
    assert {right for _, right in table} == {0, 1, 3}
    assert p is not None
    assert p > 0.05


def test_a_fixed_number_of_distractors_tells_how_many_are_right() -> None:
    """What was before: right = options - 3 in each item."""
    table = {(3, 0): 10, (4, 1): 60, (6, 3): 25}
    assert (independence(table) or 0) < 1e-6


@pytest.mark.parametrize("slot", range(20))
def test_an_item_has_as_many_options_as_were_drawn_whatever_number_of_them_is_right(slot: int) -> None:
    made, seed = drawn(), replace(SEED, slot=slot)
    wanted = made.settings.wanted_options(made.campaign.seed, seed)
    right = {NONE: 0, ONE: 1, SEVERAL: 3}[made.settings.intended_share(seed)]
    begun = [*question(), correct(*RIGHT)]
    (writing,) = owed(made, begun, seed)
    assert writing.ask.wanted == (wanted or 0) - right

    wrong = WRONG[: writing.ask.wanted]
    verdict = end(made, [*begun, distractors(1, *wrong), *votes(RIGHT, wrong)], seed)
    body = json_of(verdict.body)
    labels = Counter(one["label"] for one in body["options"] if one["id"] in body["order"])
    assert (verdict.state, len(body["order"]), labels[CORRECT]) == (ItemState.KEPT, wanted, right)
    assert body["intended"] == made.settings.intended_share(seed)


def test_a_right_option_that_falls_is_followed_by_another_distractor() -> None:
    made = drawn(several_correct=1, none_correct=0, options=[5, 5])
    begun = [*question(), correct(*RIGHT), distractors(1, *WRONG[:2])]
    fallen = votes(RIGHT[:2], (*WRONG[:2], "cedar"))
    (writing,) = owed(made, [*begun, *fallen])
    assert (writing.agent.name, writing.ask.wanted) == ("design_distractors", 1)


def test_a_question_whose_right_options_all_fall_is_no_item_in_which_none_is_right() -> None:
    """The panel calls it unanswerable: so it is discarded, not kept as one without a right option."""
    verdict = end(
        drawn(),
        [
            *question("In this study, what did the authors find?"),
            correct("amber"),
            distractors(1, *WRONG[:5]),
            *votes((), ("amber", *WRONG[:5])),
        ],
    )
    assert (verdict.state, verdict.cause) == (ItemState.DISCARDED, "no correct option kept")
    assert RecallSettings().no_correct == "discard"
    assert all(
        next(iter(t for n, t in p.tables.items() if n != "rule"))["no_correct"] == "keep" for p in PRESETS.values()
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"options": [6, 4]}, r"write \[4, 6\]"),
        ({"most_correct": 4}, "begin it at 5, or lower most_correct"),
        ({"min_options": 5}, "lower it, or begin options at 5"),
        ({"options": [1, 4]}, "greater than or equal to 2"),
    ],
)
def test_numbers_that_cannot_go_together_are_refused_with_what_to_do(settings: Any, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        SharedSettings(**settings)
    assert SharedSettings(distractors=3, most_correct=6).wanted_options(1, SEED) is None


def test_all_right_options_are_shown_as_published_where_that_is_set() -> None:
    made = drawn(distractors=2, every_correct=True)
    verdict = end(made, [*question(), correct(*RIGHT), distractors(1, *WRONG[:2]), *votes(RIGHT, WRONG[:2])])
    assert len(json_of(verdict.body)["order"]) == 5
    assert "intended" not in json_of(verdict.body)


def test_the_report_holds_the_table_and_warns_where_it_tells_something() -> None:
    made = drawn()
    fair, leaking = (ChoiceReport(made.campaign) for _ in range(2))
    fair.numbers.update({(4, 1): 30, (5, 1): 30, (4, 2): 10, (5, 2): 10})
    leaking.numbers.update({(4, 1): 30, (5, 2): 30})
    assert fair.counts()["number_of_options"] == {
        "right_by_options": {"4": {"1": 30, "2": 10}, "5": {"1": 30, "2": 10}},
        "p_independent": 1.0,
    }
    assert not any("tells how many" in line for line in fair.lines())
    assert any("tells how many are right (p = 0.0000)" in line for line in leaking.lines())
    (part,) = [part for part in leaking.card().parts if part.title.startswith("Whether")]
    assert part.content[1].rows == ((4, 30, 0), (5, 0, 30))  # type: ignore[union-attr]
