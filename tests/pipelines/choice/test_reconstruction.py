"""Reconstruction items: what is owed when, what checkers make of a conclusion's source, and what falls."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.pipelines.said import (
    SEED,
    SPAN,
    ballot,
    decision,
    end,
    json_of,
    json_options,
    name,
    owed,
    refused,
    said,
    written,
)
from tests.scripted_choice import campaign, document
from tests.scripted_choice import reconstruction as scripted

from benchwright.agents.base import Masked, Quoted
from benchwright.agents.choice import mislead
from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.campaign import Panel
from benchwright.domain.document import TITLE, Section, View
from benchwright.domain.item import ItemState
from benchwright.domain.opinion import Policy
from benchwright.domain.vote import Rule
from benchwright.errors import Unreadable
from benchwright.pipelines import PIPELINES
from benchwright.pipelines.base import Due, state_of
from benchwright.pipelines.choice.option import CORRECT
from benchwright.pipelines.choice.reconstruction import PART, Reconstruction
from benchwright.pipelines.choice.spread import turn_of

ARGUED: dict[str, Any] = {"sentence": 2, "start": 60, "end": 66, "text": "Amber thus came of basin."}
SMALL = Rule(Fraction(1), Fraction(1, 2), 2)
GOOD = {"amber": "correct", "basin": "wrong", "cedar": "wrong", "delta": "wrong"}


def reconstruction(**parts: Any) -> Reconstruction:
    """Without refinement; one correct option, a panel of two that must agree."""
    own = {"refine": False, "rule": SMALL, "panel": Panel(("red", "green")), "several_correct": 0, "none_correct": 0}
    return scripted(**{**own, **parts})


def conclusions(*texts: str) -> Answer:
    told = [
        {"text": text, "rationale": "so", "discussion": [{**ARGUED, "sentence": n}], "evidence": [SPAN]}
        for n, text in enumerate(texts, 2)
    ]
    return said("extract_conclusion", {"conclusions": told})


def source(by: str, verdict: str, number: int = 1) -> Answer:
    return said("compare_conclusion", {"reason": f"as to {number}", "verdict": verdict}, str(number), f"{by}#1")


def sources(number: int = 1, red: str = "faithful", green: str = "faithful") -> list[Answer]:
    """What both checkers say of the source of a conclusion."""
    return [source("red", red, number), source("green", green, number)]


def distractors(number: int, **texts: str) -> Answer:
    """What a round brought, the texts by their kinds."""
    options = [{**written([text], SPAN)["options"][0], "confusion": kind} for kind, text in texts.items()]
    return said("mislead", {"options": options}, str(number))


def checks(verdicts: dict[str, str], sheet: int = 1, right: Sequence[str] = ("amber",)) -> list[Answer]:
    """The panel, of one mind."""
    return [
        replace(ballot(f"{model}#1", verdicts, sheet, right), step="check_reconstruction") for model in ("red", "green")
    ]


QUESTION = said("ask_for_conclusion", {"rationale": "so", "evidence": [SPAN], "question": "What follows?"})
WRONG = distractors(1, background="basin", causal_reversal="cedar", outside_literature="delta")
THREE = [conclusions("amber"), *sources(), QUESTION, WRONG]
SPLIT = sources(1, "faithful", "distorted")


# ------------------------------------------------------------------------------------------------ what is owed


def test_an_item_goes_from_a_conclusion_over_its_source_to_question_options_and_checkers() -> None:
    cuts = [THREE[:n] for n in (0, 1, 3, 4, 5)]

    assert [[due.key for due in owed(reconstruction(), cut)] for cut in cuts] == [
        ["extract_conclusion//writer/0"],
        ["compare_conclusion/1/red/0", "compare_conclusion/1/green/0"],
        ["ask_for_conclusion//writer/0"],
        ["mislead/1/writer/0"],
        ["check_reconstruction/1/red/0", "check_reconstruction/1/green/0"],
    ]


def test_the_extractor_is_shown_the_masked_part_and_asked_for_as_many_as_are_meant() -> None:
    made = reconstruction()
    (due,) = owed(made, [])
    (many,) = owed(reconstruction(several_correct=1, most_correct=4), [])

    assert due.ask.masked == Masked(SEED.id, made.most)
    assert 0 < made.most < 8192 / 4
    assert (due.ask.wanted, many.ask.wanted) == (1, 4)


def test_a_later_item_of_a_document_is_drawn_from_a_part_that_its_seed_decides_and_misled_from_all() -> None:
    later = [replace(SEED, slot=n, body='{"focus":"the section \\"Results\\""}') for n in range(2)]
    first, *others = [owed(reconstruction(), [], seed)[0].ask.masked for seed in (SEED, *later)]

    assert first.most == reconstruction().most > PART
    assert [part.most for part in others] == [PART, PART]
    assert others[0].seed != others[1].seed
    assert owed(reconstruction(), THREE[:4], later[0])[0].ask.masked.most == first.most


def test_each_conclusion_is_compared_with_the_sentences_that_its_writer_cites_and_no_others() -> None:
    dues = owed(reconstruction(), [conclusions("amber", "ember")])
    assert [(due.key, due.ask.conclusion, due.ask.source) for due in dues] == [
        ("compare_conclusion/1/red/0", "amber", Masked(numbers=(2,))),
        ("compare_conclusion/1/green/0", "amber", Masked(numbers=(2,))),
        ("compare_conclusion/2/red/0", "ember", Masked(numbers=(3,))),
        ("compare_conclusion/2/green/0", "ember", Masked(numbers=(3,))),
    ]


def test_the_question_is_asked_for_the_conclusions_that_checkers_do_not_reject() -> None:
    bad = sources(2, "distorted", "no_conclusion")
    (due,) = owed(reconstruction(), [conclusions("amber", "ember", "fjord"), *sources(1), *bad, *sources(3)])
    assert (due.ask.conclusions, due.ask.nearby) == (("amber", "fjord"), Quoted((1,)))


@pytest.mark.parametrize("step", ["extract_conclusion", "ask_for_conclusion"])
def test_an_item_whose_writer_gives_no_answer_is_discarded_for_it(step: str) -> None:
    before = THREE[: [answer.step for answer in THREE].index(step)]
    assert end(reconstruction(), [*before, refused(step)]).cause == f"{step}: refused"


# ------------------------------------------------------------------------------------------------ the source


def test_an_item_whose_conclusions_are_all_rejected_ends_before_its_question() -> None:
    verdict = end(reconstruction(), [conclusions("amber"), *sources(1, "distorted", "distorted")])
    assert (verdict.state, verdict.cause) == (ItemState.DISCARDED, "no conclusion of the article")


def test_a_conclusion_that_checkers_reject_falls_and_meets_no_vote() -> None:
    made, both = reconstruction(), [conclusions("amber", "ember"), *sources(1), *sources(2, "distorted", "distorted")]
    state = state_of(made, SEED, [*both, QUESTION])

    assert [(option.text, option.gate) for option in state.draft.options] == [
        ("amber", None),
        ("ember", "not_the_conclusion"),
    ]
    (write,) = owed(made, [*both, QUESTION])
    assert (write.ask.correct, write.ask.taken) == (("amber",), ("ember",))  # no distractor may say either
    voting = owed(made, [*both, QUESTION, WRONG])
    assert {one.text for due in voting for one in due.ask.options} == {"amber", "basin", "cedar", "delta"}


@pytest.mark.parametrize("again", ["amber", "Amber."])
def test_a_conclusion_of_two_sources_stands_by_the_better_one_and_once(again: str) -> None:
    both = [conclusions("amber", again), *sources(1, "distorted", "distorted"), *sources(2), QUESTION, WRONG]
    verdict = end(reconstruction(), [*both, *checks(GOOD)])
    assert [(option["gate"], option["fate"]) for option in json_of(verdict.body)["options"]][:2] == [
        (None, "keep"),
        ("duplicate", "reject"),
    ]
    assert json_of(verdict.body)["order"].count(name("amber", CORRECT)) == 1


def sources_shown(made: Reconstruction, answers: Sequence[Answer]) -> dict[str, Masked]:
    """What of the masked part people see with each option."""
    return {due.ask.option: due.ask.source for due in owed(made, answers)}


def people(made: Reconstruction, answers: Sequence[Answer]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Why people are asked about each option, and what checkers say of it as they are shown it."""
    dues = owed(made, answers)
    assert {due.to for due in dues} == {"human"}
    return {due.ask.option: (due.ask.why, due.ask.votes) for due in dues}


def test_a_conclusion_about_whose_source_checkers_are_divided_is_put_to_people_who_are_told_so() -> None:
    told = people(reconstruction(), [conclusions("amber"), *SPLIT, QUESTION, WRONG, *checks(GOOD)])
    assert told == {
        "amber": (
            "checkers are divided on whether it is a conclusion of the article",
            (
                "green#1 says correct: seen",
                "red#1 says correct: seen",
                "red#1 says of its source faithful: as to 1",
                "green#1 says of its source distorted: as to 1",
            ),
        )
    }


@pytest.mark.parametrize(
    "few",
    [
        [refused("compare_conclusion", "1", "red#1"), refused("compare_conclusion", "1", "green#1")],
        sources(1, "cannot_say", "cannot_say"),
        sources(1, "faithful", "cannot_say"),
    ],
    ids=["failure_answer", "abstained", "one"],
)
def test_where_too_few_checkers_can_say_whose_conclusion_it_is_people_decide(few: list[Answer]) -> None:
    told = people(reconstruction(), [conclusions("amber"), *few, QUESTION, WRONG, *checks(GOOD)])
    assert {option: why for option, (why, _) in told.items()} == {
        "amber": "too few checkers can say whether it is a conclusion of the article"
    }


def test_both_reasons_are_told_where_there_are_two() -> None:
    votes = [checks(GOOD)[0], checks(GOOD | {"amber": "flawed", "basin": "correct"})[1]]
    told = people(reconstruction(), [conclusions("amber"), *SPLIT, QUESTION, WRONG, *votes])
    assert {option: why for option, (why, _) in told.items()} == {
        "amber": "the votes are divided; checkers are divided on whether it is a conclusion of the article",
        "basin": "the votes are divided",
    }


def test_people_see_what_a_doubted_conclusion_was_taken_from_and_nothing_with_other_options() -> None:
    votes = [checks(GOOD)[0], checks(GOOD | {"amber": "flawed", "basin": "correct"})[1]]
    opening = [conclusions("amber"), *SPLIT, QUESTION, WRONG]

    doubted = sources_shown(reconstruction(), [*opening, *votes])
    assert doubted == {"amber": Masked(numbers=(2,)), "basin": Masked()}
    sure = sources_shown(reconstruction(), [conclusions("amber"), *sources(1), QUESTION, WRONG, *votes])
    assert sure == {"amber": Masked(), "basin": Masked()}


def test_an_audit_of_a_sound_conclusion_is_told_as_one() -> None:
    made = reconstruction(review=Policy(audit=Fraction(1)))
    assert {why for why, _ in people(made, [*THREE, *checks(GOOD)]).values()} == {
        "audit of an option that the votes keep"
    }


def test_what_people_say_of_a_doubted_conclusion_decides() -> None:
    answers = [conclusions("amber"), *SPLIT, QUESTION, WRONG, *checks(GOOD)]

    assert end(reconstruction(), [*answers, decision("amber", "keep", CORRECT)]).cause == "kept"
    rejected = end(reconstruction(), [*answers, decision("amber", "reject", CORRECT)])
    assert rejected.cause == "no correct option kept"


def test_nobody_is_asked_about_a_doubted_conclusion_that_does_not_follow_by_the_votes() -> None:
    voted_down = [conclusions("amber"), *SPLIT, QUESTION, WRONG, *checks(GOOD | {"amber": "wrong"})]
    assert end(reconstruction(), voted_down).cause == "no correct option kept"


def test_a_changed_rule_asks_for_the_votes_on_a_source_that_it_needs_and_judges_by_them() -> None:
    three = Panel(("red", "green", "blue"))
    mild = reconstruction(panel=three, rule=Rule(Fraction(1, 3), Fraction(1, 3), 1), waves=1)
    strict = reconstruction(panel=three, rule=Rule(Fraction(1), Fraction(1), 3), waves=1)
    asked = [conclusions("amber"), source("red", "distorted"), source("green", "faithful"), QUESTION]

    assert owed(mild, asked[:3])[0].agent.name == "compare_conclusion"  # blue might say that it is none
    late = [*asked, source("blue", "faithful")]
    assert owed(mild, late)[0].agent.name == "mislead"
    assert end(strict, late).cause == "no conclusion of the article"
    assert [due.key for due in owed(strict, asked)] == ["compare_conclusion/1/blue/0"]


def test_a_substitute_compares_for_a_checker_that_is_down() -> None:
    made = reconstruction()
    models = dict(made.campaign.models)
    models["green"] = replace(models["green"], substitute="blue")
    made = Reconstruction.of(replace(made.campaign, models=models), Path())
    down = failure_answer("compare_conclusion", "1", "green#1", "unavailable", "no route")

    (due,) = owed(made, [conclusions("amber"), source("red", "faithful"), down])
    assert due.key == "compare_conclusion/1/blue/0"
    (next_,) = owed(made, [conclusions("amber"), source("red", "faithful"), down, source("blue", "faithful")])
    assert next_.agent.name == "ask_for_conclusion"


# ------------------------------------------------------------------------------------------------ distractors


def write(answers: Sequence[Answer], **parts: Any) -> Due:
    (due,) = owed(reconstruction(**parts), answers)
    return due


TURN = turn_of(mislead.KINDS, reconstruction().campaign.seed, SEED.slot)


def test_kinds_of_distractors_that_are_there_are_not_asked_again() -> None:
    first = write(THREE[:-1])
    again = write([*THREE[:-1], distractors(1, background="basin", incorrect_conclusion="amber")])

    assert (first.ask.kinds, first.ask.wanted, first.ask.masked) == (
        TURN[:3], 3, Masked(SEED.id, reconstruction().most)
    )  # fmt: skip
    assert again.key == "mislead/2/writer/1"
    assert again.ask.kinds == tuple(kind for kind in TURN if kind != "background")[:2]
    assert (again.ask.correct, again.ask.taken, again.ask.wanted) == (("amber",), ("basin", "amber"), 2)


def test_a_kind_is_free_again_once_its_option_is_rejected() -> None:
    kinds = write([*THREE, *checks(GOOD | {"cedar": "flawed"})]).ask.kinds
    assert set(kinds) <= {"limitation_or_future_work", "incorrect_conclusion", "causal_reversal"}


def test_where_every_kind_is_there_each_may_come_again() -> None:
    five = distractors(1, **dict(zip(mislead.KINDS, ("basin", "cedar", "delta", "ember", "fjord"), strict=True)))
    assert write([*THREE[:-1], five], distractors=6).ask.kinds == TURN[:1]  # "none" could not be obeyed


# ------------------------------------------------------------------------------------------------ the end


def test_a_kept_item_has_no_class_and_its_evidence_is_of_the_body_alone() -> None:
    verdict = end(reconstruction(), [*THREE, *checks(GOOD)])

    assert (verdict.state, verdict.cause) == (ItemState.KEPT, "kept")
    assert (json_of(verdict.body)["class"], json_of(verdict.body)["topic"], json_of(verdict.body)["intended"]) == (
        "",
        "",
        "one",
    )
    assert [option["evidence"] for option in json_of(verdict.body)["options"]] == [[SPAN]] * 4
    assert ARGUED["text"] not in str(json_of(verdict.body))


def test_before_its_question_there_is_nothing_to_show() -> None:
    made = reconstruction()
    assert made.body(state_of(made, SEED, THREE[:3])) is None
    assert [option["text"] for option in json_options(made.body(state_of(made, SEED, THREE[:4])))] == ["amber"]


def test_the_pipeline_masks_the_discussion_or_says_why_an_article_does_not_suit(tmp_path: Path) -> None:
    (tmp_path / "terms.csv").write_text("a,b\n")
    made = PIPELINES["reconstruction"].of(campaign("reconstruction", search={"glossary": "terms.csv"}), tmp_path)

    assert list(made.sources()) == ["glossary"]
    assert made.question_step == "ask_for_conclusion"
    one = document(0)
    assert made.shows(one) == View(one.id, (0, 1), (2,))
    hidden = PIPELINES["reconstruction"].of(campaign("reconstruction", title="masked"), tmp_path)
    assert hidden.shows(one) == View(one.id, (0, 1), (TITLE, 2))
    nameless = tuple(Section("", "body", section.sentences) for section in one.sections)
    with pytest.raises(Unreadable, match="have no names"):
        made.shows(replace(one, sections=nameless))


def test_a_checker_that_also_writes_makes_the_votes_doubtful() -> None:
    told = reconstruction(panel=Panel(("writer", "green"))).doubts()
    assert any(doubt.startswith("writer votes in check_reconstruction and writes") for doubt in told)
    assert reconstruction().doubts() == []
