"""Words for the time, and words that give the gold away."""

import pytest

from benchwright.agents.crisis.time import TimeFrame
from benchwright.pipelines.crisis.phrases import fault_of_time, is_english, leak, times_named

MONTH = "its words speak of the time 'month', not '{}'"


@pytest.mark.parametrize(
    ("question", "times"),
    [
        ("What should be done right away?", ("immediate",)),
        ("A week after the flood, what helps?", ("week",)),
        ("A few days later, what helps first?", ("immediate", "week")),
        ("In the weeks after the fire, what helps?", ("month",)),
        ("A few weeks on, what helps?", ("month",)),
        ("What helps in the long term?", ("month",)),
        ("What helps?", ()),
        ("Where did the firstborn go, nowadays?", ()),
    ],
)
def test_a_question_speaks_of_the_times_that_its_words_name(question: str, times: tuple[str, ...]) -> None:
    assert times_named(question) == times


@pytest.mark.parametrize(
    ("question", "time", "fault"),
    [
        ("What is the first step a week after the flood?", "week", ""),
        ("What should be done at once, before the coming weeks?", "immediate", MONTH.format("immediate")),
        ("What helps?", "week", "no words say that it asks about the time 'week'"),
        ("What helps right now?", "month", "its words speak of the time 'immediate', not 'month'"),
        ("What helps after a month?", "week", MONTH.format("week")),
        ("A week or a month later, what helps?", "week", MONTH.format("week")),
    ],
)
def test_a_question_stands_in_its_own_time(question: str, time: TimeFrame, fault: str) -> None:
    assert fault_of_time(question, time) == fault


def test_only_english_is_checked() -> None:
    assert is_english("", "")
    assert is_english("", "English")
    assert is_english("en-GB", "German")
    assert not is_english("de", "English")


@pytest.mark.parametrize(
    ("question", "gold", "found"),
    [
        (
            "Who should fetch all pupils by bus today?",
            "let a bus fetch all pupils by bus today",
            "it quotes 'fetch all",
        ),
        ("Is water enough in a shelter?", "bring water to the shelter", "it shares with the gold: shelter, water"),
        ("What helps the people here?", "bring blankets to the shelter", ""),
        ("What of water?", "water", ""),
    ],
)
def test_a_question_that_says_the_gold_is_told_of(question: str, gold: str, found: str) -> None:
    assert leak(question, ["", gold], 0.5).startswith(found)
    assert bool(leak(question, [gold], 0.5)) == bool(found)
