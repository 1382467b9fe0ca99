"""Polling a panel in waves: whatever is voted, graded or sorted, stopping early changes no end."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.campaign import Panel
from benchwright.domain.category import Category, CategoryRule, Winning
from benchwright.domain.grade import Grade, GradeRule, Rounding
from benchwright.domain.quality import Word
from benchwright.domain.vote import Rule, Vote
from benchwright.domain.waves import count
from benchwright.pipelines.polling import Poll, SheetAnswer, Terms, Turn, with_ballot

FAILED = "failed"  # what a turn says that brings no usable answer


@dataclass(frozen=True, slots=True)
class Scale:
    """A rule, and the words that may be said on its scale."""

    rule: Any
    words: tuple[Any, ...]
    make: Callable[[str, str, Any], Word]


thresholds = st.fractions(0, 1, max_denominator=6)
quorums = st.integers(0, 4)
votes = st.builds(
    lambda pair, quorum: Scale(Rule(max(pair), min(pair), quorum), (True, False, None, FAILED), Vote),
    st.tuples(thresholds, thresholds),
    quorums,
)
grades = st.builds(
    lambda rounding, bound, quorum: Scale(GradeRule(0, 3, rounding, bound, quorum), (0, 1, 2, 3, None, FAILED), Grade),
    st.sampled_from(Rounding),
    st.none() | st.integers(0, 3),
    quorums,
)
categories = st.builds(
    lambda how, share, quorum: Scale(
        CategoryRule(("win", "tie", "lose"), how, share, quorum), ("win", "tie", "lose", None, FAILED), Category
    ),
    st.sampled_from(Winning),
    thresholds,
    quorums,
)
panels = st.builds(
    lambda models, runs: Panel(("red", "green", "blue")[:models], runs), st.integers(1, 3), st.integers(1, 3)
)
settings = st.sampled_from(["frugal", "calls", 1, 2, 3, 9])
THINGS = ("one", "two")


@given(votes | grades | categories, panels, settings, st.data(), st.integers(0, 2**32))
def test_stopping_early_never_changes_an_end_whoever_answers_first(
    scale: Scale, panel: Panel, waves: Any, data: st.DataObject, chance: int
) -> None:
    terms: Terms[Any, Any] = Terms(panel, scale.rule, waves)
    said = {turn: data.draw(st.tuples(*[st.sampled_from(scale.words)] * len(THINGS))) for turn in terms.turns}
    poll: Poll[Any, Any] = Poll(0, THINGS, {}, terms)
    order, asked = Random(chance), []
    while questions := list(poll.wave.questions.values()):
        asked_now = order.choice(questions)
        asked.append(asked_now.turn)
        ballot = answer(scale, asked_now.turn, asked_now.things, said[asked_now.turn])
        poll = poll.with_ballot(ballot, with_ballot(poll.said, ballot))
    assert len(set(asked)) == len(asked)
    for place, thing in enumerate(THINGS):
        everything = [scale.make(thing, str(turn), said[turn][place]) for turn in terms.turns if usable(said[turn])]
        assert poll.end(thing) == scale.rule.certain_end(count(everything, scale.rule), 0)


def answer(scale: Scale, turn: Turn, things: Sequence[str], words: Sequence[Any]) -> SheetAnswer[Any]:
    """What a turn says of what it is asked about."""
    if not usable(words):
        return SheetAnswer(0, turn.model, turn.run, {}, FAILED)
    made = {name: scale.make(name, str(turn), word) for name, word in zip(THINGS, words, strict=True) if name in things}
    return SheetAnswer(0, turn.model, turn.run, made)


def usable(words: Sequence[Any]) -> bool:
    """Whether a turn brings an answer at all."""
    return FAILED not in words
