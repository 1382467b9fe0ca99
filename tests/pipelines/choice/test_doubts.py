"""What `doctor` says of panels whose votes tell little, and of judges who wrote what they answer."""

from dataclasses import replace
from typing import Any

import pytest
from tests.scripted_choice import inference
from tests.scripted_recall import pipeline

from benchwright.domain.campaign import Campaign, Model, Panel
from benchwright.pipelines.choice.doubts import panel_doubts
from benchwright.pipelines.choice.recall import Recall


def campaign(panel: Panel, **models: dict[str, Any]) -> Campaign:
    """A writer, and checkers with these properties."""
    made = pipeline(panel=panel).campaign
    base = {**made.models, **{name: Model(name, "direct", name) for name in models}}
    return replace(made, models={name: replace(one, **models.get(name, {})) for name, one in base.items()})


SOUND = {"red": {"temperature": 1.0}, "green": {"temperature": 1.0}}


@pytest.mark.parametrize(
    ("panel", "models", "told"),
    [
        (Panel(("red", "green"), 2), SOUND, []),
        (Panel(("red", "green")), {}, []),
        (Panel(("writer", "green")), {}, ["writer votes in check_option and writes: such a checker"]),
        (
            Panel(("red", "green")),
            {"red": {"family": "qwen"}, "writer": {"family": "qwen"}},
            ["red votes in check_option and is of the family of writer, which writes"],
        ),
        (Panel(("red",)), {}, ["all checkers of check_option are of one family"]),
        (
            Panel(("red", "green")),
            {"red": {"family": "qwen"}, "green": {"family": "qwen"}},
            ["all checkers of check_option are of one family"],
        ),
        (
            Panel(("red", "green"), 3),
            {"red": {"temperature": 1.0}},
            ["check_option asks green 3 times at temperature 0"],
        ),
        (Panel(("red", "green"), 3), {**SOUND, "green": {"temperature": None}}, []),
    ],
)
def test_each_fault_of_a_panel_is_told_with_what_to_do(
    panel: Panel, models: dict[str, dict[str, Any]], told: list[str]
) -> None:
    found = panel_doubts(campaign(panel, **models), Recall.roles)
    assert len(found) == len(told)
    assert all(said.startswith(start) for said, start in zip(found, told, strict=True))
    assert all(". " in said for said in found)  # what to do


def test_judges_who_wrote_are_named_and_doctor_asks_the_pipeline_for_all_this() -> None:
    made = inference(judges=Panel(("writer", "red")))
    (panel, judges) = made.doubts()
    assert panel.startswith("check_inference asks red and green and blue 2 times at temperature 0")
    assert judges.startswith("writer judges in judge_item and is, or is of the family of, writer, which writes")
    assert pipeline(panel=Panel(("writer",))).doubts()
