"""The cards of options, and of items as a whole; and what becomes of what people say of these."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.bodies import SPAN
from tests.review.test_other_pipelines import RIGHT, WRONG, Kind, ballots, opening, pipeline, said
from tests.scripted_recall import pipeline as recall

from benchwright.domain.answer import Answer
from benchwright.domain.document import View
from benchwright.domain.item import Ending, Seed
from benchwright.domain.opinion import Policy
from benchwright.pipelines.base import Due, state_of
from benchwright.pipelines.card import Card
from benchwright.pipelines.choice.body import Body
from benchwright.pipelines.choice.inference import Inference
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR, option_id
from benchwright.pipelines.choice.reconstruction import Reconstruction
from benchwright.pipelines.choice.story import question_lines

SEED = Seed(0, 0, View("d", (0,), (1,)), '{"focus":"any part of the document"}')


def cards_of(kind: Kind, answers: int | None = None) -> Callable[[str, str], Card | None]:
    """What makes the cards of an item of which so many answers are there."""
    made = pipeline(kind)
    state = state_of(made, SEED, [*opening(kind, "faithful"), *ballots(kind)][:answers])
    return lambda step, about: made.card(state, step, about)


@pytest.mark.parametrize("kind", [Inference, Reconstruction])
def test_each_option_has_a_card_and_so_has_the_item_once_it_has_a_question(
    kind: Kind,
) -> None:
    card = cards_of(kind)
    option, item = card("review_option", option_id(CORRECT, RIGHT)), card("review_item", "")
    assert option
    assert item
    assert [one.content for one in option.subjects] == [RIGHT]
    assert dict(option.notes) == {"route": "human", "audited": "no"}
    assert option.fate == ""
    assert [one.content for one in item.subjects] == ["What brought the fever?"]
    assert item.unasked
    assert card("review_option", "no such") is None
    assert card("review_item", "no such") is None
    assert card("review_option", "") is None
    assert cards_of(kind, 0)("review_item", "") is None


@pytest.mark.parametrize(
    ("decision", "text", "reason", "fault"),
    [
        ("discard", "", "not sound", ""),
        ("discard", "", "", "to discard an item takes a reason"),
        ("edit", "Which rain brought the fever?", "", ""),
        ("edit", "What  brought the fever?", "", "the same as before"),
        ("edit", "It brought the fever", "", "does not end in a question mark"),
        ("edit", "What brought it? And when?", "", "ask one only"),
        ("edit", "Which of the following brought the fever?", "", "without any options"),
        ("edit", "What brought the fever in our cohort?", "", "without a pointer to where it stands"),
    ],
)
def test_an_item_is_discarded_for_a_reason_and_its_question_worded_as_writers_have_to(
    decision: str, text: str, reason: str, fault: str
) -> None:
    card = cards_of(Inference)("review_item", "")
    assert card
    found = card.check({"decision": decision, "text": text, "reason": reason})
    assert fault in found
    assert bool(found) == bool(fault)


@pytest.mark.parametrize(
    ("wording", "fault"),
    [
        ("The monsoon brought it", ""),
        (f"  {RIGHT} ", "the same as before: keep the option"),
        (WRONG[0], "says the same as another option"),
        ("Option A", "says nothing that could be an answer"),
        ("What brought", "only repeats the question"),
    ],
)
def test_another_wording_of_an_option_passes_the_gates_of_its_writer(wording: str, fault: str) -> None:
    card = cards_of(Inference)("review_option", option_id(CORRECT, RIGHT))
    assert card
    assert card.check({"decision": "keep", "text": wording, "reason": ""}) == ""
    found = card.check({"decision": "edit", "text": wording, "reason": ""})
    assert fault in found
    assert bool(found) == bool(fault)


def test_what_a_doubted_conclusion_was_taken_from_is_a_field_of_its_card() -> None:
    made = pipeline(Reconstruction)
    for second, there in (("distorted", True), ("faithful", False)):
        state = state_of(made, SEED, [*opening(Reconstruction, second), *ballots(Reconstruction)])
        card = made.card(state, "review_option", option_id(CORRECT, RIGHT))
        assert card
        assert any(one.name == "source" for one in card.shown) is there


def test_what_became_of_an_option_is_told_once_it_is_certain() -> None:
    made = pipeline(Inference)
    state = state_of(made, SEED, [*opening(Inference, "faithful"), *ballots(Inference), *kept_all(Inference)])
    card = made.card(state, "review_option", option_id(CORRECT, RIGHT))
    assert card
    assert card.fate == "keep"


def test_a_question_of_recall_may_hold_numbers() -> None:
    made = recall()
    written = {"rationale": "so", "evidence": [SPAN], "question": ASKED}
    choice = {"rationale": "so", "best": 1, "suitable": [1]}
    steps = (("choose_class", choice), ("choose_topic", choice), ("write_question", written))
    state = state_of(made, SEED, [said(step, body) for step, body in steps])
    card = made.card(state, "review_item", "")
    assert card
    assert card.check({"decision": "edit", "text": "What brought 12 % of the fever?", "reason": ""}) == ""


ASKED = "What brought the fever?"
EDITED = "Which rain brought the fever?"


def remark(by: str, decision: str, *, text: str = "", reason: str = "") -> Answer:
    return said("review_item", {"decision": decision, "text": text, "reason": reason}, "", by)


def kept_all(kind: Kind) -> list[Answer]:
    """People keep every option."""
    names = [option_id(CORRECT, RIGHT), *(option_id(DISTRACTOR, one) for one in WRONG)]
    return [said("review_option", {"decision": "keep", "reason": ""}, name, "human:ada") for name in names]


def end_of(kind: Kind, *answers: Answer, policy: Policy | None = None) -> Sequence[Due] | Ending:
    """What an item owes or comes to, whose options people keep, in whatever order it was said."""
    made = pipeline(kind)
    if policy:
        made = replace(made, campaign=replace(made.campaign, review=policy))
    every = [*opening(kind, "faithful"), *ballots(kind), *kept_all(kind), *answers]
    ends = [made.plan(state_of(made, SEED, Random(turn).sample(every, len(every)))) for turn in range(4)]
    assert all(end == ends[0] for end in ends)
    return ends[0]


def body_of(end: Sequence[Due] | Ending) -> Body:
    """The item as it ended."""
    assert isinstance(end, Ending)
    assert isinstance(end.body, Body)
    return end.body


EVERY = pytest.mark.parametrize("kind", [Inference, Reconstruction])


@EVERY
def test_an_item_that_people_discard_ends_so_with_their_reason_and_comes_back_when_they_take_it_back(
    kind: Kind,
) -> None:
    end = end_of(kind, remark("human:bob", "discard", reason="not sound"))
    assert isinstance(end, Ending)
    assert (end.state, end.cause, end.detail) == ("discarded", "discarded by people", "not sound")
    assert end.body is not None
    back = end_of(kind, remark("human:bob", "discard", reason="so"), remark("human:bob#2", "withdraw"))
    assert isinstance(back, Ending)
    assert back.cause == "kept"


@EVERY
def test_an_edited_question_stands_in_the_item_and_the_wording_before_stays_on_record(kind: Kind) -> None:
    end = end_of(kind, remark("human:bob", "edit", text=EDITED))
    body = body_of(end)
    assert (body.question.question, body.question.author, body.question.replaces) == (EDITED, "human:bob", ASKED)
    told = CHOICE.write(body)
    assert (told["question"]["replaces"], told["question"]["author"]) == (ASKED, "human:bob")
    assert CHOICE.read(told) == body
    assert [line.text for line in question_lines(body)] == [
        EDITED,
        f"worded by human:bob; its options were written and voted on for: {ASKED}",
    ]
    back = end_of(kind, remark("human:bob", "edit", text=EDITED), remark("human:bob#2", "withdraw"))
    assert set(CHOICE.write(body_of(back))["question"]) == {"question", "evidence"}


def test_of_two_wordings_none_stands_until_the_adjudicator_or_most_take_one() -> None:
    two = [remark("human:bob", "edit", text=EDITED), remark("human:cyd", "edit", text="Which trade brought it?")]

    def question(*more: Answer, judge: str = "") -> str:
        end = end_of(Inference, *two, *more, policy=Policy(adjudicator=judge))
        return body_of(end).question.question

    assert question() == ASKED
    assert question(remark("human:dan", "edit", text=EDITED)) == EDITED
    assert question(remark("human:dan", "edit", text=EDITED), judge="judy") == ASKED
    assert question(remark("human:judy", "edit", text=EDITED), judge="judy") == EDITED


@EVERY
def test_the_cards_of_options_tell_of_an_edited_question_and_ask_the_same_as_before(kind: Kind) -> None:
    made = pipeline(kind)
    before = [*opening(kind, "faithful"), *ballots(kind)]
    state = state_of(made, SEED, [*before, remark("human:bob", "edit", text=EDITED)])
    assert made.plan(state) == made.plan(state_of(made, SEED, before))
    card = made.card(state, "review_option", option_id(CORRECT, RIGHT))
    assert card
    assert {one.name: one.content for one in card.shown if one.name in {"question", "reworded"}} == {
        "question": ASKED,
        "reworded": EDITED,
    }


def test_what_people_worded_is_not_hardened() -> None:
    made = pipeline(Inference)
    made = Inference.of(replace(made.campaign, settings={**made.campaign.settings, "refine": {}}), Path())
    every = [*opening(Inference, "faithful"), *ballots(Inference), *kept_all(Inference)]
    assert not isinstance(made.plan(state_of(made, SEED, every)), Ending)
    end = made.plan(state_of(made, SEED, [*every, remark("human:bob", "edit", text=EDITED)]))
    assert body_of(end).difficulty is None
