"""The panel on questions: what becomes of one before any option is written, and what people can do about it."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from tests.pipelines.said import SEED, correct, end, owed, question, said
from tests.scripted_recall import CHECKED, pipeline

from benchwright.agents.choice import check_stem, review_stem
from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.campaign import Panel
from benchwright.domain.item import ItemState
from benchwright.domain.opinion import Policy
from benchwright.pipelines.base import HUMAN, Due, state_of
from benchwright.pipelines.choice.body import Body
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.pipelines.choice.recall import Recall
from benchwright.pipelines.choice.stems import STEM
from benchwright.pipelines.choice.story import check_lines
from benchwright.pipelines.kind import Seen

VAGUE = "In this study, what did the authors find?"
CLEAR = "What did the survey of Ulvey find in 2021?"
PANEL = Panel(("red", "green", "blue"), 2)


def made(review: Policy | None = None, **settings: Any) -> Recall:
    found = pipeline(panel=PANEL, **{**CHECKED, **settings})
    return replace(found, campaign=replace(found.campaign, review=review or Policy()))


def ballot(by: str, verdict: str = "sound", reason: str = "seen") -> Answer:
    body = {"answer": "They found amber.", "sentences": [{"sentence": 2}], "reason": reason, "verdict": verdict}
    return said("check_stem", body, STEM, by)


def ballots(**verdicts: str) -> list[Answer]:
    """The verdicts of each model, a word for each run."""
    return [
        ballot(f"{name}#{run}", word) for name, words in verdicts.items() for run, word in enumerate(words.split(), 1)
    ]


def word(decision: str, by: str = "human:ada", reason: str = "so", text: str = "") -> Answer:
    return said("review_stem", {"decision": decision, "reason": reason, "text": text}, STEM, by)


def steps(dues: Sequence[Due]) -> set[tuple[str, str]]:
    return {(due.agent.name, due.to) for due in dues}


def body_of(recall: Recall, answers: Sequence[Answer]) -> Body:
    body = recall.body(state_of(recall, SEED, answers))
    assert body is not None
    return body


SOUND = ballots(red="sound sound", green="sound sound", blue="sound sound")
DIVIDED = ballots(red="sound sound", green="ambiguous ambiguous", blue="sound trivial")


def test_a_question_is_put_to_the_panel_before_options_are_written() -> None:
    recall = made()
    first = owed(recall, question(CLEAR))
    assert steps(first) == {("check_stem", name) for name in PANEL.models}
    assert {due.run for due in first} == {0}  # the same waves as of options
    assert isinstance(first[0].ask, check_stem.Ask)
    assert (first[0].ask.question, first[0].ask.how) == (CLEAR, "by a fact that the document states")
    assert first[0].ask.topic == str(recall.taxonomy.classes[0].topics[0])
    assert steps(owed(recall, [*question(CLEAR), *SOUND])) == {("write_correct_options", "writer")}


def test_without_the_setting_nobody_is_asked_about_a_question() -> None:
    recall = made(check_stems=False)
    assert steps(owed(recall, question(CLEAR))) == {("write_correct_options", "writer")}
    assert steps(owed(recall, [*question(CLEAR), *ballots(red="unanswerable")])) == {
        ("write_correct_options", "writer")
    }
    assert body_of(recall, question(CLEAR)).stem_check is None


def test_a_question_that_the_panel_calls_unanswerable_ends_the_item_and_is_no_item_without_a_right_option() -> None:
    against = [
        *question(VAGUE),
        *ballots(red="unanswerable not_self_contained", green="unanswerable", blue="unanswerable"),
    ]
    ending = end(made(), [*against, ballot("green#2", "cannot_say"), ballot("blue#2", "unanswerable")])
    assert (ending.state, ending.cause) == (ItemState.DISCARDED, "question rejected")
    assert ending.detail == "4 say unanswerable: seen; 1 say not_self_contained: seen"
    assert isinstance(ending.body, Body)
    assert (ending.body.question.question, ending.body.options) == (VAGUE, ())
    assert ending.body.stem_check is not None
    assert (ending.body.stem_check.fate, ending.body.stem_check.ratio) == ("reject", "0/5")


def test_a_divided_panel_leaves_the_question_to_people() -> None:
    dues = owed(made(Policy(opinions=2)), [*question(CLEAR), *DIVIDED])
    assert [(due.agent.name, due.to, due.about, due.run) for due in dues] == [
        ("review_stem", HUMAN, STEM, 0),
        ("review_stem", HUMAN, STEM, 1),
    ]
    ask = dues[0].ask
    assert isinstance(ask, review_stem.Ask)
    assert ask.why == "the votes are divided"
    assert "green#1 says ambiguous: seen Its own answer: They found amber." in ask.votes


def test_a_family_that_says_no_in_all_its_runs_leaves_a_question_to_people() -> None:
    votes = ballots(red="sound sound", green="trivial trivial", blue="sound sound")
    dues = owed(made(), [*question(CLEAR), *votes])
    assert steps(dues) == {("review_stem", HUMAN)}
    assert dues[0].ask.why == "all votes of green are no"
    assert steps(owed(made(family_veto=False), [*question(CLEAR), *votes])) == {("write_correct_options", "writer")}


def test_a_panel_of_which_too_few_can_say_leaves_the_question_to_people() -> None:
    silent = [
        failure_answer("check_stem", STEM, f"{name}#{run}", "refused", "") for name in PANEL.models for run in (1, 2)
    ]
    assert owed(made(), [*question(CLEAR), *silent])[0].ask.why == "too few votes"


def test_people_keep_a_question_edit_it_or_discard_the_item() -> None:
    recall, before = made(), [*question(CLEAR), *DIVIDED]
    assert steps(owed(recall, [*before, word("keep")])) == {("write_correct_options", "writer")}
    (edited,) = owed(recall, [*before, word("edit", text="What did Ulvey find?")])
    assert (edited.agent.name, edited.ask.question) == ("write_correct_options", "What did Ulvey find?")
    ending = end(recall, [*before, word("discard", reason="nobody needs it")])
    assert (ending.cause, ending.detail) == ("discarded by people", "nobody needs it")
    assert ending.body is not None
    assert steps(owed(recall, [*before, word("cannot_say")])) == {("review_stem", HUMAN)}
    back = [*before, word("discard"), word("withdraw", by="human:ada#2")]
    assert [(due.agent.name, due.run) for due in owed(recall, back)] == [("review_stem", 1)]


def test_options_are_written_and_held_against_the_wording_of_people() -> None:
    recall = made()
    answers = [*question(CLEAR), *DIVIDED, word("edit", text="What did red amber find?"), correct("red amber")]
    state = recall.fold(state_of(recall, SEED, answers[:-1]), answers[-1])
    assert [option.gate for option in state.draft.options] == ["in_stem"]
    assert state == state_of(recall, SEED, [*answers[:-2], answers[-1], answers[-2]])
    body = body_of(recall, answers)
    assert (body.question.question, body.question.author, body.question.replaces) == (
        "What did red amber find?",
        "human:ada",
        "",
    )
    assert body.stem_check is not None
    assert (body.stem_check.written, body.stem_check.fate) == (CLEAR, "keep")
    assert CHOICE.read(CHOICE.write(body)) == body


def test_a_sample_of_questions_is_put_to_people_whatever_the_votes_say() -> None:
    recall = made(Policy(audit=Fraction(1)))
    answers = [*question(CLEAR), *SOUND]
    assert owed(recall, answers)[0].ask.why == "audit of a question that the votes keep"
    lines = [line.text for line in check_lines(checked(recall, answers))]
    assert "people decide too, for the audit" in lines
    rejected = [*question(CLEAR), *ballots(red="trivial trivial", green="trivial trivial", blue="trivial trivial")]
    assert owed(recall, rejected)[0].ask.why == "audit of a question that the votes reject"
    assert steps(owed(recall, [*rejected, word("keep")])) == {("write_correct_options", "writer")}


def checked(recall: Recall, answers: Sequence[Answer]) -> Any:
    return body_of(recall, answers).stem_check


def test_explain_says_what_the_panel_and_people_said_and_why() -> None:
    recall = made()
    votes = ballots(red="sound sound", green="trivial trivial", blue="sound sound")
    answers = [*question(CLEAR), *votes, word("edit", reason="clearer", text="What did Ulvey find?")]
    body = body_of(recall, answers)
    story = CHOICE.story(Seen("x", SEED, ItemState.OPEN, "", "", body, lambda: answers))
    (part,) = [one for one in story if one.title == "Question"]
    lines = [getattr(line, "text", "") for line in part.content]
    assert lines[:3] == ["What did Ulvey find?", "blue#1 votes sound: seen", "  its own answer: They found amber."]
    assert lines[-4:] == [
        "4/6 votes find it sound: to people, because all votes of green are no",
        "human:ada decides edit to 'What did Ulvey find?': clearer",
        f"people worded it before options were written; as its writer worded it: {CLEAR}",
        "in the end: keep",
    ]


def test_the_card_of_a_question_takes_a_decision_with_its_reason_or_wording() -> None:
    recall = made()
    state = state_of(recall, SEED, [*question(CLEAR), *DIVIDED])
    card = recall.card(state, "review_stem", STEM)
    assert card is not None
    assert [value.value for value in card.inputs[0].values] == ["keep", "edit", "discard", "cannot_say"]
    assert [one.name for one in card.shown if one.hidden] == ["ratio", "votes"]
    assert card.why == "the votes are divided"
    assert card.check({"decision": "keep", "text": "", "reason": ""}) == ""
    assert "takes a reason" in card.check({"decision": "discard", "text": "", "reason": ""})
    assert "the same as before" in card.check({"decision": "edit", "text": CLEAR, "reason": ""})
    assert "question mark" in card.check({"decision": "edit", "text": "Tell of Ulvey.", "reason": ""})
    assert card.check({"decision": "edit", "text": "What did Ulvey find?", "reason": ""}) == ""
    assert recall.card(state_of(recall, SEED, []), "review_stem", STEM) is None
    silent = made(check_stems=False)
    assert silent.card(state_of(silent, SEED, question(CLEAR)), "review_stem", STEM) is None


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"decision": "edit", "reason": ""}, "an edit needs the new wording"),
        ({"decision": "keep", "text": "Which?"}, "only an edit has one"),
        ({"decision": "discard", "reason": " "}, "for a reason"),
    ],
)
def test_a_word_about_a_question_that_cannot_stand_is_refused(values: dict[str, str], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        review_stem.Answer.model_validate(values)


def test_an_estimate_counts_the_calls_and_cards_about_questions() -> None:
    calls = {one.role: one.calls for one in made(Policy(opinions=2)).expect()}
    asked = {role: calls[role] for role in ("check_stem", "review_stem")}
    assert asked == {"check_stem": (6, 6), "review_stem": (0, 4)}  # two waves: three of six votes do not suffice
    assert "check_stem" not in {one.role for one in made(check_stems=False).expect()}
