"""The state of a recall item, folded from its answers."""

from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pipelines.said import SEED, SPAN, ballot, correct, decision, distractors, name, question, refused, said
from tests.scripted_recall import pipeline

from benchwright.domain.answer import Answer
from benchwright.pipelines.base import state_of
from benchwright.pipelines.choice.item_state import Draft, agrees, sheets
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR
from benchwright.pipelines.choice.recall import RecallState

RECALL = pipeline()


def fold(answers: Iterable[Answer]) -> Draft:
    """What the answers of a recall item say of its question and options."""
    state = state_of(RECALL, SEED, list(answers))
    assert isinstance(state, RecallState)
    return state.draft


WHOLE = [
    *question(),
    correct("amber"),
    distractors(1, "basin", "cedar"),
    *(ballot(by, {"amber": "correct", "basin": "wrong", "cedar": "flawed"}) for by in ("red#1", "green#1")),
    refused("check_option", "1", "blue#1"),
    distractors(2, "delta"),
    *(ballot(by, {"delta": "cannot_say"}, 2) for by in ("red#1", "green#1", "blue#1")),
    decision("delta", "keep"),
    decision("cedar", "reject"),
]


@given(st.permutations(WHOLE))
def test_the_order_of_arrival_does_not_matter(answers: list[Answer]) -> None:
    assert fold(answers) == fold(WHOLE)


@given(st.integers(0, len(WHOLE)), st.integers())
def test_nor_does_it_for_the_first_part_of_an_items_life(cut: int, seed: int) -> None:
    part = WHOLE[:cut]

    assert fold(Random(seed).sample(part, cut)) == fold(part)


def test_nothing_said_is_nothing_known() -> None:
    state = fold([])

    assert (state.stem, state.question, state.options, state.has_correct_options, state.rounds) == (
        "",
        None,
        (),
        False,
        (),
    )
    assert list(sheets(state)) == []


def test_options_carry_their_label_their_round_and_what_they_cite() -> None:
    options = fold(WHOLE).options

    assert [(o.text, o.label, o.round, o.confusion) for o in options] == [
        ("amber", CORRECT, 0, ""),
        ("basin", DISTRACTOR, 1, "place"),
        ("cedar", DISTRACTOR, 1, "place"),
        ("delta", DISTRACTOR, 2, "place"),
    ]
    assert all(o.evidence == (SPAN,) and o.rationale == f"as to {o.text}" and o.gate is None for o in options)


def test_rounds_are_folded_by_their_number_not_by_the_order_of_their_digits() -> None:
    rounds = [distractors(n, f"fact {chr(96 + n)}") for n in range(1, 12)]

    assert [o.text for o in fold([*question(), *rounds[::-1]]).options] == [f"fact {c}" for c in "abcdefghijk"]


def test_an_option_falls_at_a_gate_and_says_at_which() -> None:
    state = fold([*question(), correct("amber", "The Amber"), distractors(1, "amber", "None", "77 cases", "which")])

    assert [o.gate for o in state.options] == [
        None, None, "duplicate", "placeholder", "number_not_in_evidence", "in_stem"
    ]  # fmt: skip


def test_what_falls_at_a_gate_is_on_no_sheet() -> None:
    state = fold([*question(), correct("amber"), distractors(1, "amber", "basin")])

    assert [(sheet, [o.text for o in options]) for sheet, options in sheets(state)] == [(1, ["amber", "basin"])]


def test_options_of_rounds_before_the_first_vote_share_a_sheet_later_ones_have_their_own() -> None:
    first = [*question(), correct("amber"), distractors(1, "basin"), distractors(2, "cedar")]
    later = [*first, ballot("red#1", {"amber": "correct"}, 2), distractors(3, "delta")]

    assert [(sheet, len(options)) for sheet, options in sheets(fold(first))] == [(2, 3)]
    assert [(sheet, len(options)) for sheet, options in sheets(fold(later))] == [(2, 3), (3, 1)]


@pytest.mark.parametrize(
    ("label", "verdict", "keep"),
    [
        (CORRECT, "correct", True),
        (CORRECT, "wrong", False),
        (CORRECT, "flawed", False),
        (CORRECT, "cannot_say", None),
        (DISTRACTOR, "correct", False),
        (DISTRACTOR, "wrong", True),
        (DISTRACTOR, "flawed", False),
        (DISTRACTOR, "cannot_say", None),
    ],
)
def test_a_blind_verdict_confirms_the_label_or_does_not(label: str, verdict: str, keep: bool | None) -> None:
    assert agrees(label, verdict) is keep


def test_a_ballot_tells_who_cast_it_on_which_sheet_in_which_run() -> None:
    first = fold([*WHOLE[:5], ballot("a#model#3", {"amber": "wrong"})]).ballots[1]["a#model", 2][0]

    assert (first.sheet, first.model, first.run, first.failure) == (1, "a#model", 2, None)
    vote = first.words[name("amber", CORRECT)]
    assert (vote.by, vote.keep, vote.verdict, vote.reason) == ("a#model#3", False, "wrong", "seen")


def test_a_failed_ballot_is_a_ballot_without_votes() -> None:
    (failure,) = (one for said in fold(WHOLE).ballots[1].values() for one in said if one.failure)

    assert (failure.model, failure.failure, failure.words) == ("blue", "refused", {})


def test_a_failed_round_of_distractors_counts_as_a_round() -> None:
    state = fold([*question(), correct("amber"), refused("design_distractors", "1")])

    assert (len(state.rounds), state.failure, len(state.options)) == (1, None, 1)


@pytest.mark.parametrize("step", ["choose_class", "choose_topic", "write_question", "write_correct_options"])
def test_a_step_that_fails_and_cannot_be_gone_round_stops_the_item(step: str) -> None:
    state = fold([refused(step)])

    assert state.failure == refused(step)


def test_decisions_are_kept_by_option_and_a_duplicate_by_the_item_it_repeats() -> None:
    state = fold([*WHOLE, said("near_duplicate", {"of": "item1"}, by="code")])

    said_of = ((about, answer) for about, answers in state.decisions.items() for answer in answers)
    assert sorted((about, answer.value["decision"]) for about, answer in said_of) == sorted(
        [(name("cedar"), "reject"), (name("delta"), "keep")]
    )
    assert state.duplicate
    assert state.duplicate.value["of"] == "item1"
