"""Flaws of wording, and what writers are told once: the released items of EpiQAL say how often."""

import gzip
import json
from collections import Counter
from typing import Any

import pytest
from tests.agents.asks import QUESTION, agent, reading
from tests.conftest import shared_data

from benchwright.agents.base import Quoted, objections
from benchwright.agents.choice import design_distractors, write_correct_options
from benchwright.agents.choice.flaws import NAMES, option_flaws, stem_flaws

COUNT = "How many students of Farwick had mumps?"


def names(stem: str, right: tuple[str, ...] = (), wrong: tuple[str, ...] = ()) -> list[str]:
    return [flaw.name for flaw in (*stem_flaws(stem), *option_flaws(stem, right, wrong))]


@pytest.mark.parametrize(
    ("stem", "found"),
    [
        ("What did the authors find?", ["pointer"]),
        ("What was the p-value in the model shown in Figure 3?", ["pointer"]),
        ("Which symptom was NOT reported in Farwick?", ["negation"]),
        ("Which school was not closed in Farwick?", ["negation"]),
        ("Which schools closed except the college?", ["negation"]),
        ("What was the reason for not closing the harbour school?", []),
        ("Who brought mumps, which was not known before, to Farwick?", []),
        ("Which mosquitoes dominate in the study area of Farwick?", []),
        (QUESTION, []),
    ],
)
def test_a_question_that_points_or_denies_is_told(stem: str, found: list[str]) -> None:
    assert names(stem) == found


@pytest.mark.parametrize(
    ("right", "wrong", "found"),
    [
        (("21 students",), ("37 students", "2 students"), []),
        (("21 students",), ("37 students", "All of the above"), ["above", "absolute", "unit"]),
        (("21",), ("37", "Both A and B"), ["above", "unit"]),
        (("21 %",), ("37", "2 %"), ["unit"]),
        (("2 May",), ("37", "4 May"), ["unit"]),
        (("By sea",), ("Only by land", "By air"), ["absolute"]),
        (("Only by sea",), ("Only by land", "By air"), []),
        (("In Farwick",), ("In Vale", "In town"), ["stem_word"]),
        (("In Farwick and by sea from the harbour",), ("In Farwick", "In Vale"), ["longest"]),
    ],
)
def test_options_that_give_the_answer_away_are_told(
    right: tuple[str, ...], wrong: tuple[str, ...], found: list[str]
) -> None:
    assert names(COUNT, right, wrong) == found


def written(*options: tuple[str, list[int]], **more: str) -> str:
    return json.dumps({"options": [{**more, "rationale": "So.", "evidence": cited, "text": t} for t, cited in options]})


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ([("21 students", [2])], ""),
        ([("21 students", [4])], "21 of '21 students' stands in sentence 2, which it does not cite: cite 2"),
        ([("64 students", [2])], "64 of '64 students' stands in no sentence of the document"),
        ([("21 students", [2]), ("41 nurses", [2])], "'41 nurses' of '41 nurses' stands in an example"),
    ],
)
def test_a_right_value_beside_a_wrong_sentence_is_told_which_sentence_has_it(options: Any, says: str) -> None:
    ask = write_correct_options.Ask(COUNT, Quoted((4,)), "English")
    said = objections(agent("write_correct_options"), ask, reading(), written(*options))
    assert says in said
    assert bool(says) == bool(said)


def test_a_writer_of_distractors_is_told_of_flaws_beside_the_right_options() -> None:
    ask = design_distractors.Ask(COUNT, Quoted((4,)), ("21 students",), (), ("time",), 2, "English")
    said = objections(agent("design_distractors"), ask, reading(), written(("On 2 May", [4]), confusion="time"))
    assert "'On 2 May' is a date, unlike the right options" in said
    assert objections(agent("choose_class"), ask, reading(), "{}") == ""


@pytest.mark.parametrize(
    ("subset", "counts"),
    [
        ("A", {"pointer": 170, "negation": 1, "absolute": 9, "unit": 42, "stem_word": 26, "longest": 38, "above": 0}),
        ("B", {"pointer": 162, "negation": 1, "absolute": 40, "unit": 0, "stem_word": 45, "longest": 4, "above": 0}),
    ],
)
def test_the_released_items_have_as_many_items_with_each_flaw(subset: str, counts: dict[str, int]) -> None:
    file = shared_data(f"epiqal/items_{subset}.jsonl.gz")
    found: Counter[str] = Counter()
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for item in map(json.loads, lines):
            shown = set(item["choices"]) if item.get("choices") else None
            right, wrong = (
                tuple(one["option"] for one in item[kind] if shown is None or one["option"] in shown)
                for kind in ("correct", "distractors")
            )
            found.update(set(names(item["question"], right, wrong)))
    assert {name: found[name] for name in NAMES} == counts
