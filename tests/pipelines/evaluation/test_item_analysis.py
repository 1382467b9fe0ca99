"""Item analysis on answers made by hand."""

import pytest

from benchwright.pipelines.evaluation.measures.item_analysis import ItemStatistics, analyse_items, count_traps
from benchwright.pipelines.evaluation.responses import Question, Response

CHOICES = ("A", "B", "C")


def question(name: str, key: str = "A", **traps: str) -> Question:
    return Question(name, CHOICES, frozenset(key), traps=traps)


def said(model: str, **answers: str) -> list[Response]:
    return [Response(name, model, frozenset(chosen)) for name, chosen in answers.items()]


QUESTIONS = [question("easy"), question("hard"), question("doubtful"), question("odd", B="near miss", C="reversal")]
RESPONSES = [
    *said("best", easy="A", hard="A", doubtful="B", odd="B"),
    *said("good", easy="A", hard="A", doubtful="B", odd="B"),
    *said("weak", easy="A", hard="B", doubtful="B", odd="A"),
    *said("poor", easy="A", hard="C", doubtful="A", odd="A"),
]


def analyse(*more: Response) -> dict[str, ItemStatistics]:
    return {one.question.id: one for one in analyse_items(QUESTIONS, [*RESPONSES, *more])}


def test_difficulty_is_the_share_that_solves_a_question() -> None:
    assert {name: one.solved for name, one in analyse().items()} == {
        "easy": 1.0, "hard": 0.5, "doubtful": 0.25, "odd": 0.5,
    }  # fmt: skip


def test_discrimination_is_the_correlation_with_the_rest_of_the_test() -> None:
    found = analyse()
    assert found["easy"].discrimination is None  # all the same: undefined, not 0
    assert found["hard"].discrimination == pytest.approx(-0.905, abs=0.001)
    assert found["odd"].discrimination == pytest.approx(-0.577, abs=0.001)


def test_choices_are_counted_and_those_that_nobody_takes_are_named() -> None:
    found = analyse()
    assert found["hard"].chosen == {"A": 2, "B": 1, "C": 1}
    assert found["easy"].unused == ("B", "C")
    assert found["hard"].unused == ()


def test_a_key_that_the_strongest_reject_in_one_voice_is_doubtful() -> None:
    """The three strongest are all that are left: best, good and weak."""
    found = {
        one.question.id: one for one in analyse_items(QUESTIONS, [one for one in RESPONSES if one.model != "poor"])
    }
    assert found["doubtful"].agreed == frozenset("B")
    assert found["doubtful"].flag == "is the key wrong?"
    assert found["odd"].agreed is None  # the third says otherwise


def test_one_model_alone_and_models_that_choose_nothing_are_no_voice() -> None:
    one = analyse_items([question("q")], said("only", q="B"))
    none = analyse_items([question("q")], [*said("a", q=""), *said("b", q="")])
    assert (one[0].agreed, none[0].agreed) == (None, None)


def test_flags_name_what_to_look_at() -> None:
    found = analyse()
    assert found["easy"].flag == "everybody solves it"
    assert found["odd"].flag == "the weaker models solve it"
    assert analyse_items([question("q")], said("a", q="B"))[0].flag == "nobody solves it"
    assert analyse_items([question("q")], [])[0].flag == ""
    assert analyse_items([question("q")], [*said("a", q="A"), *said("b", q="B")])[0].flag == ""


def test_answers_that_failed_are_not_wrong_and_runs_of_one_model_are_one_unit() -> None:
    failed = Response("hard", "mute", None, failure="no_json")
    again = Response("hard", "best", frozenset("B"), run=2)
    found = analyse(failed, again)["hard"]

    assert found.answers == 5
    assert found.solved == (0.5 + 1 + 0 + 0) / 4


def test_answers_to_questions_that_are_not_in_the_set_are_left_out() -> None:
    stray = Response("stray", "best", frozenset("A"))
    assert analyse(stray) == analyse()
    assert count_traps(QUESTIONS, [stray]) == {}


def test_families_of_traps_are_counted_by_those_who_were_offered_them() -> None:
    mute = Response("odd", "mute", None)
    assert count_traps(QUESTIONS, [*RESPONSES, mute]) == {"near miss": (2, 4), "reversal": (0, 4)}
