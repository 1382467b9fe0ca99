"""Distractors that no judge took: who is told what, what takes their place, which set of options is kept."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tests.pipelines.choice.test_inference import checks
from tests.pipelines.choice.test_refined_choice import ONLY_ONE, TWO, VOTED, judged
from tests.pipelines.said import SEED, SPAN, end, owed, refused, said
from tests.scripted_choice import Choice, inference

from benchwright.agents.choice import replace_distractors
from benchwright.domain.answer import Answer
from benchwright.domain.item import Ending, ItemState
from benchwright.domain.vote import Rule
from benchwright.pipelines.base import state_of
from benchwright.pipelines.choice.body import Body
from benchwright.pipelines.choice.formats.provenance import WITHHELD, why_left_out
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.pipelines.choice.story import difficulty_lines


def made(**refine: Any) -> Choice:
    """Two judges and two checkers; an item is easy below a half, and no stem is refined."""
    own = {"measures": 1, "margin": 0, "rounds": 0, "threshold": 0.5, "replace": 1, **refine}
    rule = Rule(Fraction(1), Fraction(1, 2), 1)
    return inference(rule=rule, topics="model", panel=TWO, refills=0, refine=own, **ONLY_ONE)


def answered(pipeline: Choice, answers: Sequence[Answer], *right: tuple[str, ...]) -> list[Answer]:
    """What the judges that are asked next take for right, each of them in turn."""
    dues = owed(pipeline, answers)
    assert {due.agent.name for due in dues} == {"judge_item"}
    return [*answers, *(judged(due, *texts) for due, texts in zip(dues, right, strict=False))]


def rewritten(number: int, *texts: str) -> Answer:
    entries = [{"text": text, "rationale": "so", "evidence": [SPAN], "confusion": "replacement"} for text in texts]
    return said("replace_distractors", {"options": entries}, str(number))


def in_set(ending: Ending) -> set[str]:
    assert isinstance(ending.body, Body)
    return {one.text for one in ending.body.options_in_item}


def judge_all(pipeline: Choice, answers: Sequence[Answer], *texts: str) -> list[Answer]:
    """All judges, of one mind, as long as any is asked."""
    while not isinstance(state_end(pipeline, answers), Ending):
        dues = owed(pipeline, answers)
        if {due.agent.name for due in dues} != {"judge_item"}:
            break
        answers = [*answers, *(judged(due, *texts) for due in dues)]
    return [*answers]


def state_end(pipeline: Choice, answers: Sequence[Answer]) -> Any:
    return pipeline.plan(state_of(pipeline, SEED, list(answers)))


def test_the_writer_is_told_what_judges_say_against_the_distractors_that_none_of_them_took() -> None:
    pipeline = made()
    measured = answered(pipeline, VOTED, ("amber",), ("amber", "basin"))
    measured = judge_all(pipeline, measured, "amber", "basin")
    (due,) = owed(pipeline, measured)
    ask = due.ask
    assert isinstance(ask, replace_distractors.Ask)
    assert (due.agent.name, due.about, due.run) == ("replace_distractors", "2", 1)
    assert (ask.correct, ask.wanted) == (("amber",), 2)
    assert ask.untaken == ("cedar - so", "delta - so")
    assert set(ask.taken) == {"basin", "cedar", "delta"}
    assert ask.how.startswith("by joining places")


def easy_then_replaced(pipeline: Choice) -> list[Answer]:
    """An easy item whose distractors nobody took, with two new ones that checkers confirm."""
    measured = judge_all(pipeline, VOTED, "amber")
    new = [*measured, rewritten(2, "ember", "fjord")]
    assert {(due.agent.name, due.about) for due in owed(pipeline, new)} == {("check_inference", "2")}
    return [*new, *checks({"ember": "wrong", "fjord": "wrong"}, 2)]


def test_new_distractors_are_voted_on_and_measured_and_kept_if_the_item_is_hard_with_them() -> None:
    pipeline = made()
    done = judge_all(pipeline, easy_then_replaced(pipeline), "ember")
    ending = end(pipeline, done)
    assert ending.state is ItemState.KEPT
    assert in_set(ending) == {"amber", "ember", "fjord", "delta"}
    body = ending.body
    assert isinstance(body, Body)
    assert CHOICE.read(CHOICE.write(body)) == body
    left = {one.text: why_left_out(one) for one in body.other_options}
    assert left == {"basin": WITHHELD, "cedar": WITHHELD}
    assert body.difficulty is not None
    assert [(one.level, len(one.untaken)) for one in body.difficulty.sets] == [("easy", 3), ("hard", 2)]
    lines = [line.text for line in difficulty_lines(body.difficulty)]
    first, second = (line for line in lines if line.startswith(("options as", "after 1 round")))
    assert first.startswith("options as written: easy, score 0 (0.000); nobody took ")
    assert second.startswith("after 1 round of new distractors: hard, score ")


def test_where_the_item_is_no_harder_the_options_stay_as_they_were() -> None:
    pipeline = made()
    ending = end(pipeline, judge_all(pipeline, easy_then_replaced(pipeline), "amber"))
    assert in_set(ending) == {"amber", "basin", "cedar", "delta"}
    assert isinstance(ending.body, Body)
    assert ending.body.difficulty is not None
    assert [one.level for one in ending.body.difficulty.sets] == ["easy", "easy"]


def test_new_distractors_have_to_be_hard_by_all_measures() -> None:
    pipeline = made(measures=2)
    replaced = easy_then_replaced(pipeline)
    once = answered(pipeline, replaced, ("ember",), ("amber",))  # 1/2: above the threshold, by one measure of two
    again = owed(pipeline, once)
    assert {due.agent.name for due in again} == {"judge_item"}
    lucky = judge_all(pipeline, once, "amber")
    assert in_set(end(pipeline, lucky)) == {"amber", "basin", "cedar", "delta"}


def test_a_round_that_fails_or_whose_options_fall_changes_nothing_and_uses_no_refill() -> None:
    pipeline = made()
    measured = judge_all(pipeline, VOTED, "amber")
    failed = end(pipeline, [*measured, refused("replace_distractors", "2")])
    assert in_set(failed) == {"amber", "basin", "cedar", "delta"}
    fallen = [*measured, rewritten(2, "ember"), *checks({"ember": "flawed"}, 2)]
    assert in_set(end(pipeline, fallen)) == {"amber", "basin", "cedar", "delta"}


def test_nothing_is_replaced_where_the_item_is_hard_or_the_setting_says_so() -> None:
    pipeline = made()
    hard = end(pipeline, judge_all(pipeline, VOTED, "cedar"))
    assert isinstance(hard.body, Body)
    assert hard.body.difficulty is not None
    assert (hard.body.difficulty.level, hard.body.difficulty.sets) == ("hard", ())
    off = made(replace=0)
    assert in_set(end(off, judge_all(off, VOTED, "amber"))) == {"amber", "basin", "cedar", "delta"}


def test_with_two_rounds_the_new_ones_that_nobody_took_are_replaced_once_more() -> None:
    pipeline = made(replace=2)
    second = judge_all(pipeline, easy_then_replaced(pipeline), "amber")
    (due,) = owed(pipeline, second)
    assert (due.agent.name, due.about) == ("replace_distractors", "3")
    assert set(due.ask.untaken) == {"ember - so", "fjord - so", "delta - so"}
    third = [*second, rewritten(3, "grove"), *checks({"grove": "wrong"}, 3)]
    ending = end(pipeline, judge_all(pipeline, third, "grove"))
    assert len(in_set(ending)) == 4
    assert "grove" in in_set(ending)
    assert len(in_set(ending) & {"ember", "fjord"}) >= 1
