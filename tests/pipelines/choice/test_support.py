"""Evidence: what checkers relied on, and whether cited sentences carry an option without the document."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests import scripted_choice as choices
from tests.contracts.pipeline import Run, World
from tests.pipelines.said import SEED, ballot, correct, distractors, end, name, owed, question, said
from tests.scripted_recall import CHECKED, pipeline

from benchwright.domain.answer import Answer
from benchwright.domain.call import Request
from benchwright.domain.campaign import Panel, Quota
from benchwright.domain.ids import canonical
from benchwright.domain.item import Ending, ItemState
from benchwright.pipelines.base import HUMAN, Due, state_of
from benchwright.pipelines.choice.body import Body, Choice
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.pipelines.choice.option import CORRECT
from benchwright.pipelines.choice.recall import Recall
from benchwright.pipelines.choice.story import option_part
from benchwright.pipelines.choice.support import ELSEWHERE, NOT_CARRIED, ONE_SUFFICES

PANEL = Panel(("red", "green", "blue"))
TEXTS = {"amber": "correct", "basin": "wrong", "cedar": "wrong"}
AMBER = name("amber", CORRECT)


def made(**settings: Any) -> Recall:
    return pipeline(
        panel=PANEL, min_options=2, distractors=2, refills=0, **{**CHECKED, "check_stems": False, **settings}
    )


def vote(by: str, cites: Sequence[int], verdicts: Mapping[str, str] = TEXTS) -> Answer:
    """A checker's verdicts, each resting on these sentences."""
    found = ballot(by, verdicts)
    body = {"answer": "It was amber.", "sentences": [1], **found.value}
    for one in body["verdicts"].values():
        one["sentences"] = list(cites)
    return replace(found, body=canonical(body))


def carries(by: str, verdict: str = "carries", about: str = f"{AMBER}-1") -> Answer:
    body = {"answer": "It was amber.", "needed": [1], "reason": "it says so", "verdict": verdict}
    return said("check_evidence", body, about, by)


WRITTEN = [*question(), correct("amber"), distractors(1, "basin", "cedar")]
VOTED = [*WRITTEN, *(vote(f"{model}#1", [1]) for model in PANEL.models)]
ALL = tuple(f"{model}#1" for model in PANEL.models)


def option_of(recall: Recall, answers: Sequence[Answer]) -> Choice:
    body = recall.body(state_of(recall, SEED, answers))
    assert isinstance(body, Body)
    assert CHOICE.read(CHOICE.write(body)) == body
    return next(one for one in body.options if one.id == AMBER)


def told(recall: Recall, answers: Sequence[Answer]) -> list[str]:
    body = recall.body(state_of(recall, SEED, answers))
    assert isinstance(body, Body)
    part = option_part(body, "A", option_of(recall, answers))
    return [getattr(line, "text", "") for line in part.content]


def test_once_votes_confirm_a_right_option_a_panel_is_asked_about_its_sentences_alone() -> None:
    dues = owed(made(), VOTED)
    assert {(due.agent.name, due.to, due.about) for due in dues} == {
        ("check_evidence", model, f"{AMBER}-1") for model in PANEL.models
    }
    assert {due.ask.option for due in dues} == {"amber"}
    ending = end(made(), [*VOTED, *map(carries, ALL)])
    assert ending.state is ItemState.KEPT
    assert end(made(check_evidence=False), VOTED).state is ItemState.KEPT


def test_an_option_whose_sentences_carry_nothing_falls_and_the_item_with_it() -> None:
    recall = made(no_correct="discard")
    answers = [*VOTED, *(carries(by, "falls_short") for by in ALL)]
    ending = end(recall, answers)
    assert (ending.state, ending.cause) == (ItemState.DISCARDED, "no correct option kept")
    option = option_of(recall, answers)
    assert (option.ratio, option.route, option.fate, option.doubt) == ("3/3", "reject", "reject", NOT_CARRIED)
    assert told(recall, answers)[-5:] == [
        "0/3 votes say that [1] without the document carries it",
        "  blue#1 votes falls_short: it says so",
        "  green#1 votes falls_short: it says so",
        "  red#1 votes falls_short: it says so",
        f"it falls: {NOT_CARRIED}",
    ]


def test_a_panel_that_is_divided_about_the_sentences_leaves_the_option_to_people() -> None:
    recall = made()
    answers = [*VOTED, carries("red#1"), carries("green#1", "falls_short"), carries("blue#1", "cannot_say")]
    dues = owed(recall, answers)
    assert {(due.agent.name, due.to, due.about) for due in dues} == {("review_option", HUMAN, AMBER)}
    assert dues[0].ask.why == "checkers leave open whether the cited sentences carry it"
    assert "green#1 says of [1] without the document falls_short: it says so" in dues[0].ask.votes
    assert f"people decide too: {dues[0].ask.why}" in told(recall, answers)
    kept = end(recall, [*answers, said("review_option", {"decision": "keep", "reason": ""}, AMBER, "human:ada")])
    assert kept.state is ItemState.KEPT


def test_an_option_that_checkers_confirm_by_other_sentences_than_it_cites_is_put_to_people() -> None:
    recall = made()
    answers = [*WRITTEN, *(vote(by, [4]) for by in ALL), *map(carries, ALL)]
    dues = owed(recall, answers)
    assert [(due.agent.name, due.about, due.ask.why) for due in dues] == [("review_option", AMBER, ELSEWHERE)]
    option = option_of(recall, answers)
    assert (option.relied, option.route, option.fate) == ("0/3", "keep", "human")
    assert "0/3 of the votes that confirm it rely on a sentence that it cites" in told(recall, answers)
    assert f"people decide too: {ELSEWHERE}" in told(recall, answers)
    assert end(made(check_evidence=False), answers).state is ItemState.KEPT


@pytest.mark.parametrize("cites", [[[1], [4], [4]], [[], [], []], [[4, 1], [], [4]]])
def test_one_checker_that_comes_to_a_cited_sentence_is_enough_and_who_names_none_says_nothing(
    cites: list[list[int]],
) -> None:
    answers = [*WRITTEN, *(vote(by, found) for by, found in zip(ALL, cites, strict=True)), *map(carries, ALL)]
    assert end(made(), answers).state is ItemState.KEPT


def test_nobody_is_asked_about_the_sentences_of_an_option_that_votes_reject() -> None:
    against = {**TEXTS, "amber": "flawed"}
    recall = made(no_correct="keep")
    answers = [*WRITTEN, *(vote(by, [4], against) for by in ALL)]
    assert end(recall, answers).state is ItemState.KEPT
    assert option_of(recall, answers).evidence_checks == ()


# ---------------------------------------------------------------------------------------- several sentences joined


class Alone:
    """A world in which sentences carry options: all cited ones as `together` says, a single one as `alone` says."""

    def __init__(self, together: str, alone: str) -> None:
        self.says = {True: alone, False: together}
        self.seen: list[tuple[int, ...]] = []

    def __call__(self, request: Request) -> str | Exception:
        if request.step != "check_evidence":
            return SOUND_WORLD(request)
        shown = request.schema["properties"]["needed"]["items"]["enum"]
        self.seen.append(tuple(shown))
        verdict = self.says[len(shown) == 1]
        return canonical({"answer": "so", "needed": shown[-1:], "reason": "seen", "verdict": verdict})


def sound_world(request: Request) -> str:
    """All checkers confirm what options claim to be."""
    said_there = choices.ANSWERS[request.step](request)
    if request.step.startswith("check_") and "verdicts" in said_there:
        told_there = dict(line.split(". ", 1) for line in choices.lines(request, "Options"))
        for letter, text in told_there.items():
            said_there["verdicts"][letter]["verdict"] = "correct" if text.endswith(choices.RIGHT) else "wrong"
    if request.step == "compare_conclusion":
        said_there["verdict"] = "faithful"
    return canonical(said_there)


SOUND_WORLD = sound_world


def ending_of(kind: Any, together: str, alone: str) -> tuple[Ending, Alone, list[Due]]:
    """How an item of such a world ends; people keep what is put to them."""
    build = choices.inference if kind == "inference" else choices.reconstruction
    recall = build(quota=Quota(1), panel=PANEL, refine=False, none_correct=0, several_correct=0, check_evidence=True)
    script = Alone(together, alone)
    here = World(
        recall.campaign,
        choices.DOCUMENTS,
        script,
        lambda _: {"decision": "keep", "reason": "so"},
        choices.world(recall, choices.Temper()).services,
    )
    run = Run(recall, choices.seeds(recall, 1)[0], here.say)
    ending = run.to_the_end(Random(0))
    asked = [due for due, _ in here.asked if due.agent.name == "check_evidence"]
    people = [key for key in run.answered if key.startswith("review_option")]
    assert bool(people) == (alone == "cannot_say")
    return ending, script, asked


KINDS = pytest.mark.parametrize("kind", ["inference", "reconstruction"])


def right_of(ending: Ending) -> Choice:
    assert isinstance(ending.body, Body)
    return next(one for one in ending.body.options if one.label == CORRECT)


@KINDS
def test_an_option_that_needs_all_its_sentences_is_kept(kind: str) -> None:
    ending, script, asked = ending_of(kind, "carries", "falls_short")
    assert ending.state is ItemState.KEPT
    option = right_of(ending)
    assert [one.ratio for one in option.evidence_checks] == ["3/3", "0/3"]
    assert [len(one.sentences) for one in option.evidence_checks] == [2, 1]
    assert option.evidence_checks[1].sentences == option.evidence_checks[0].sentences[-1:]  # the one that all need
    assert len(asked) == len(script.seen) == 6


@KINDS
def test_an_option_that_one_of_its_sentences_carries_is_not_joined_and_falls(kind: str) -> None:
    ending, _, _ = ending_of(kind, "carries", "carries")
    assert (ending.state, ending.cause) == (ItemState.DISCARDED, "no correct option kept")
    assert (right_of(ending).doubt, right_of(ending).ratio) == (ONE_SUFFICES, "3/3")


@KINDS
def test_sentences_that_carry_nothing_are_not_tried_one_by_one(kind: str) -> None:
    ending, script, _ = ending_of(kind, "falls_short", "carries")
    assert right_of(ending).doubt == NOT_CARRIED
    assert {len(shown) for shown in script.seen} == {2}


@KINDS
def test_who_cannot_say_whether_one_sentence_suffices_leaves_it_to_people(kind: str) -> None:
    ending, _, _ = ending_of(kind, "carries", "cannot_say")
    assert ending.state is ItemState.KEPT
    assert right_of(ending).doubt == "checkers leave open whether one cited sentence alone carries it"
