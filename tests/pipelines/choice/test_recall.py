"""Recall items: what is owed when, and how an item ends."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from tests.pipelines.said import (
    SEED,
    ballot,
    choice,
    correct,
    decision,
    distractors,
    end,
    json_of,
    name,
    owed,
    question,
    refused,
    said,
)
from tests.scripted_recall import campaign, pipeline

from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Panel, Quota
from benchwright.domain.document import View
from benchwright.domain.item import ItemState, Progress
from benchwright.domain.opinion import Policy
from benchwright.domain.source import Outline
from benchwright.domain.vote import Rule
from benchwright.pipelines import PIPELINES
from benchwright.pipelines.base import state_of
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR
from benchwright.pipelines.choice.recall import Recall

RULE = Rule(Fraction(2, 3), Fraction(1, 2), 2)
RED = Panel(("red",), 2)
THREE = [*question(), correct("amber"), distractors(1, "basin", "cedar", "delta")]


def recall(**parts: Any) -> Recall:
    return pipeline(**{"rule": RULE, "panel": Panel(("red", "green"), 2), **parts})


def all_say(verdicts: Mapping[str, str], run: int = 1) -> list[Answer]:
    """One run of the panel, of one mind."""
    return [ballot(f"{model}#{run}", verdicts) for model in ("red", "green")]


GOOD = {"amber": "correct", "basin": "wrong", "cedar": "wrong", "delta": "wrong"}


# -------------------------------------------------------------------------------------------- the question


def test_an_item_begins_with_its_class_then_topic_question_and_correct_options_each_alone() -> None:
    steps = [*question(), correct("amber")]
    keys = [[due.key for due in owed(recall(), steps[:n])] for n in range(5)]

    assert keys == [
        ["choose_class//writer/0"],
        ["choose_topic//writer/0"],
        ["write_question//writer/0"],
        ["write_correct_options//writer/0"],
        ["design_distractors/1/writer/0"],
    ]


def test_of_one_class_there_is_nothing_to_choose(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('[[classes]]\nname = "All"\n[[classes.topics]]\nname = "Cases"\n')
    for topics in ("model", "balanced"):
        own = recall(taxonomy=str(tmp_path / "own.toml"), topics=topics)
        (due,) = owed(own, [])
        assert (due.key, due.ask.topics) == ("choose_topic//writer/0", ("1. Cases",))
        (due,) = owed(own, [choice("choose_topic", 1, [1])])
        assert due.ask.topic == "Cases"


def test_the_question_is_asked_within_the_chosen_topic_and_the_seeds_part_of_the_document() -> None:
    seed = replace(SEED, body='{"focus":"the section \\"Findings\\""}')
    (due,) = owed(recall(), [choice("choose_class", 2, [2]), choice("choose_topic", 4, [4])], seed)

    assert due.ask.topic.startswith("Immediate control & situation reporting: ")
    assert due.ask.focus == 'the section "Findings"'


@pytest.mark.parametrize(("language", "told"), [("document", "the language of the document"), ("French", "French")])
def test_writers_are_told_the_language(language: str, told: str) -> None:
    french = Recall.of(replace(campaign(), language=language), Path())

    assert [due.ask.language for due in owed(french, [])] == [told]


def test_balanced_items_take_the_class_and_topic_whose_turn_it_is_among_those_that_serve() -> None:
    balanced = recall(topics="balanced")
    all_classes, all_topics = choice("choose_class", 1, range(1, 7)), choice("choose_topic", 1, range(1, 5))
    asked = [owed(balanced, [all_classes, all_topics], replace(SEED, slot=n))[0].ask.topic for n in range(24)]
    only = [
        owed(balanced, [choice("choose_class", 3, [3]), choice("choose_topic", 2, [2])], replace(SEED, slot=n))[0].ask
        for n in range(5)
    ]

    assert len(set(asked)) > 20
    assert {ask.topic.partition(":")[0] for ask in only} == {"Transmission modes & contact patterns"}


def test_a_next_try_keeps_its_topic_on_another_document_and_changes_it_on_the_same() -> None:
    answers = [choice("choose_class", 1, range(1, 7)), choice("choose_topic", 1, range(1, 5))]

    def topics(quota: Quota) -> set[str]:
        seeds = [replace(SEED, attempt=attempt) for attempt in range(4)]
        return {owed(recall(topics="balanced", quota=quota), answers, seed)[0].ask.topic for seed in seeds}

    assert len(topics(Quota(target=9, tries=4))) == 1
    assert len(topics(Quota(tries=4))) == 4


def test_the_model_decides_on_the_topic_unless_the_campaign_spreads_them() -> None:
    (due,) = owed(recall(), [choice("choose_class", 6, [1, 6]), choice("choose_topic", 3, [1, 3])])

    assert due.ask.topic.startswith("Forecast evaluation & model combination")


@pytest.mark.parametrize("step", ["choose_class", "choose_topic", "write_question", "write_correct_options"])
def test_an_item_whose_writer_gives_no_answer_is_discarded_for_it(step: str) -> None:
    steps = {answer.step: answer for answer in (*question(), correct("amber"))}
    before = [steps[name] for name in list(steps)[: list(steps).index(step)]]

    verdict = end(recall(), [*before, refused(step)])

    assert (verdict.state, verdict.cause, verdict.detail) == (
        ItemState.DISCARDED, f"{step}: refused", "it declines"
    )  # fmt: skip


@pytest.mark.parametrize("cut", range(len(THREE) + 1))
def test_a_near_duplicate_is_discarded_whatever_has_been_done(cut: int) -> None:
    verdict = end(recall(), [*THREE[:cut], said("near_duplicate", {"of": "item7"}, by="code")])

    assert (verdict.cause, verdict.detail) == ("near-duplicate question", "of item item7")


# ---------------------------------------------------------------------------------------------- distractors


def test_distractors_are_asked_for_until_as_many_as_wanted_pass_the_gates() -> None:
    (due,) = owed(recall(), [*question(), correct("amber"), distractors(1, "basin", "amber", "None")])

    assert due.key == "design_distractors/2/writer/1"
    assert due.ask.wanted == 2
    assert due.ask.taken == ("basin", "amber", "None")  # those that fell are not to come again
    assert due.ask.correct == ("amber",)


def test_rounds_of_distractors_are_bounded_also_where_the_writer_fails() -> None:
    tried = [*question(), correct("amber"), distractors(1, "basin"), refused("design_distractors", "2")]

    assert owed(recall(refills=2), tried)[0].key == "design_distractors/3/writer/2"
    assert {due.agent.name for due in owed(recall(refills=1, min_options=2), tried)} == {"check_option"}
    assert owed(recall(refills=0, min_options=2), tried[:5])[0].agent.name == "check_option"


def test_an_item_of_which_nothing_passes_the_gates_ends_without_a_vote() -> None:
    verdict = end(recall(refills=0), [*question(), correct("None"), distractors(1, "unknown")])

    assert verdict.cause == "too few options"
    assert verdict.detail == "0 options left, 3 needed"


def test_a_distractor_that_the_panel_rejects_is_replaced_and_only_the_new_one_is_put_to_the_panel() -> None:
    flawed = [*THREE, *all_say(GOOD | {"delta": "flawed"}), *all_say(GOOD | {"delta": "flawed"}, 2)]
    (due,) = owed(recall(), flawed)
    assert (due.key, due.ask.wanted) == ("design_distractors/2/writer/1", 1)

    checks = owed(recall(), [*flawed, distractors(2, "ember")])
    assert [(due.key, [option.text for option in due.ask.options]) for due in checks] == [
        ("check_option/2/red/0", ["ember"]),
        ("check_option/2/green/0", ["ember"]),
    ]


# ------------------------------------------------------------------------------------------------- the panel


def test_the_panel_is_asked_run_by_run_each_model_at_once() -> None:
    first = owed(recall(), THREE)
    half = owed(recall(), [*THREE, ballot("green#1", GOOD)])

    assert [due.key for due in first] == ["check_option/1/red/0", "check_option/1/green/0"]
    assert [due.key for due in half] == ["check_option/1/red/0"]
    assert half[0].ask == first[0].ask


def test_a_second_run_asks_only_about_options_that_it_can_still_change() -> None:
    divided = [
        *THREE,
        ballot("red#1", GOOD),
        ballot("green#1", GOOD | {"amber": "flawed", "basin": "cannot_say"}),
    ]
    half = recall(rule=Rule(Fraction(1, 2), Fraction(1, 2), 2))
    second = owed(half, divided)

    assert [due.key for due in second] == ["check_option/1/red/1", "check_option/1/green/1"]
    assert {option.text for due in second for option in due.ask.options} == {"amber", "basin"}
    assert end(half, [*divided, *all_say({"amber": "correct", "basin": "wrong"}, 2)]).state is ItemState.KEPT


def test_of_one_mind_in_the_first_run_the_panel_is_not_asked_again() -> None:
    lenient = Rule(Fraction(1, 2), Fraction(1, 4), 2)

    assert end(recall(rule=lenient), [*THREE, *all_say(GOOD)]).state is ItemState.KEPT


def test_each_checker_has_the_options_in_an_order_of_its_own_and_keeps_it() -> None:
    many = recall(panel=Panel(("red", "green", "blue"), 2))
    orders = [[option.text for option in due.ask.options] for due in owed(many, THREE)]

    assert orders == [[option.text for option in due.ask.options] for due in owed(many, THREE)]
    assert len({tuple(order) for order in orders}) > 1
    assert all([option.letter for option in due.ask.options] == list("ABCD") for due in owed(many, THREE))


def test_a_checker_that_fails_makes_the_panel_smaller() -> None:
    failed = [refused("check_option", "1", by) for by in ("green#1", "green#2")]
    votes = [ballot(by, GOOD) for by in ("red#1", "red#2")]

    verdict = end(recall(), [*THREE, *failed, *votes])

    assert verdict.state is ItemState.KEPT
    assert [option["ratio"] for option in json_of(verdict.body)["options"]] == ["2/2"] * 4


def test_an_option_that_ballots_leave_out_is_asked_about_again_and_is_not_lost() -> None:
    without = {text: verdict for text, verdict in GOOD.items() if text != "delta"}
    silent = [ballot(f"{model}#{run}", without) for model in ("red", "green") for run in (1, 2)]

    again = owed(recall(), [*THREE, *silent])
    assert [due.key for due in again] == ["check_option/1.1/red/0", "check_option/1.1/green/0"]
    assert {option.text for due in again for option in due.ask.options} == {"delta"}


def test_where_the_whole_panel_fails_people_decide_on_everything() -> None:
    failed = [refused("check_option", "1", f"{model}#{run}") for model in ("red", "green") for run in (1, 2)]

    assert [(due.to, due.about) for due in owed(recall(), [*THREE, *failed])] == [
        ("human", name("amber", CORRECT)), *(("human", name(text)) for text in ("basin", "cedar", "delta"))
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------------- people

DIVIDED = [
    *THREE,
    ballot("red#1", GOOD),
    ballot("green#1", GOOD | {"cedar": "correct", "delta": "flawed"}),
    ballot("red#2", GOOD),
    ballot("green#2", GOOD | {"cedar": "correct", "delta": "flawed"}),
]


def test_people_are_asked_about_what_the_panel_left_open_with_all_they_need() -> None:
    first, second = owed(recall(), DIVIDED)

    assert (first.key, second.key) == (
        f"review_option/{name('cedar')}/human/0",
        f"review_option/{name('delta')}/human/0",
    )
    assert (first.ask.question, first.ask.option, first.ask.claim) == ("Which was it?", "cedar", "distractor")
    assert first.ask.votes == (
        *("green#1 says correct: seen", "green#2 says correct: seen"),
        *("red#1 says wrong: seen", "red#2 says wrong: seen"),
    )
    assert first.ask.others == ("amber", "basin", "delta")


def test_people_are_asked_about_a_correct_option_as_such() -> None:
    split = [
        *(ballot(f"{model}#{run}", GOOD) for model, run in (("red", 1), ("red", 2))),
        *(ballot(f"green#{run}", GOOD | {"amber": "wrong"}) for run in (1, 2)),
    ]

    assert [due.ask.claim for due in owed(recall(), [*THREE, *split])] == ["correct option"]


def test_a_rejection_by_people_calls_for_another_distractor_only_when_they_have_decided_on_all() -> None:
    one = [*DIVIDED, decision("cedar", "reject")]
    assert [due.about for due in owed(recall(), one)] == [name("delta")]

    (due,) = owed(recall(), [*one, decision("delta", "reject")])
    assert (due.key, due.ask.wanted) == ("design_distractors/2/writer/1", 2)


def test_what_people_keep_is_kept() -> None:
    verdict = end(recall(), [*DIVIDED, decision("cedar", "keep"), decision("delta", "keep")])

    assert verdict.state is ItemState.KEPT
    assert set(json_of(verdict.body)["order"]) == {name("amber", CORRECT), name("basin"), name("cedar"), name("delta")}


def policy(**parts: Any) -> Recall:
    """The pipeline under a policy of review."""
    return Recall.of(replace(recall().campaign, review=Policy(**parts)), Path())


def test_each_option_is_put_to_as_many_people_as_the_policy_says() -> None:
    two = policy(opinions=2)
    about = f"review_option/{name('cedar')}/human"

    def keys(*said: Answer) -> list[str]:
        return [due.key for due in owed(two, [*DIVIDED, *said]) if due.about == name("cedar")]

    assert keys() == [f"{about}/0", f"{about}/1"]
    assert keys(decision("cedar", "keep")) == [f"{about}/1"]
    assert keys(decision("cedar", "keep"), decision("cedar", "keep", by="human:bob")) == []
    assert keys(decision("cedar", "keep"), decision("cedar", "reject", by="human:bob")) == [f"{about}/2"]
    assert keys(decision("cedar", "cannot_say")) == [f"{about}/1", f"{about}/2"]


def test_what_was_taken_back_is_asked_again_under_another_ticket() -> None:
    back = [decision("cedar", "keep"), decision("cedar", "withdraw", by="human:ada#2")]
    assert [due.key for due in owed(recall(), [*DIVIDED, *back])] == [
        f"review_option/{name('cedar')}/human/1",
        f"review_option/{name('delta')}/human/0",
    ]


def test_an_option_that_people_reworded_is_kept_under_a_new_name_beside_the_one_before() -> None:
    edit = said("review_option", {"decision": "edit", "reason": "", "text": "cedars"}, name("cedar"), "human:ada")
    body = json_of(end(recall(), [*DIVIDED, edit, decision("delta", "keep")]).body)
    told = {option["text"]: option for option in body["options"]}
    new = told["cedars"]
    assert (new["id"], new["author"], new["fate"]) == (name("cedars"), "human:ada", "keep")
    assert new["replaces"] == {"id": name("cedar"), "text": "cedar"}
    assert new["ratio"] == "2/4"
    assert new["decisions"] == [{"by": "human:ada", "decision": "edit", "reason": "", "text": "cedars"}]
    assert set(body["order"]) == {name("amber", CORRECT), name("basin"), name("cedars"), name("delta")}
    assert (told["delta"]["author"], told["delta"]["replaces"]) == ("", None)


def test_whoever_comes_after_a_rewording_is_told_the_words_that_hold_now() -> None:
    def edit(text: str, label: str = DISTRACTOR) -> Answer:
        body = {"decision": "edit", "reason": "", "text": f"{text}s"}
        return said("review_option", body, name(text, label), "human:ada")

    (due,) = owed(recall(), [*DIVIDED, edit("cedar")])
    assert due.ask.others == ("amber", "basin", "cedars")
    (due,) = owed(recall(), [*DIVIDED, edit("cedar"), edit("amber", CORRECT), decision("delta", "reject")])
    assert (due.ask.correct, due.ask.taken) == (("ambers",), ("basin", "cedar", "delta", "cedars"))


def test_an_audit_puts_a_seeded_share_of_clear_options_to_people_too_and_their_word_holds() -> None:
    clear = [*THREE, *all_say(GOOD), *all_say(GOOD, 2)]
    everything = policy(audit=Fraction(1))
    dues = owed(everything, clear)
    assert {due.about for due in dues} == {name("amber", CORRECT), *map(name, ("basin", "cedar", "delta"))}
    assert {due.ask.why for due in dues} == {"audit of an option that the votes keep"}
    decided = [decision(text, "keep") for text in ("basin", "cedar")]
    decided += [decision("amber", "keep", CORRECT), decision("delta", "reject")]
    assert owed(everything, [*clear, *decided])[0].ask.wanted == 1
    assert end(policy(), clear).state is ItemState.KEPT

    def drawn(seed: int, share: Fraction) -> int:
        half = policy(audit=share)
        half = Recall.of(replace(half.campaign, seed=seed), Path())
        state = state_of(half, SEED, clear)
        return sum(standing.audited for standing in half.standings(state))

    counts = [drawn(seed, Fraction(1, 4)) for seed in range(100)]
    assert counts == [drawn(seed, Fraction(1, 4)) for seed in range(100)]
    assert 60 < sum(counts) < 140
    assert all(drawn(seed, Fraction(1)) == 4 for seed in range(3))


def test_people_are_told_why_they_are_asked() -> None:
    silent = [refused("check_option", "1", f"{model}#{run}") for model in ("red", "green") for run in (1, 2)]
    flawed = dict.fromkeys(GOOD, "flawed")
    against = [*THREE, *all_say(flawed), *all_say(flawed, 2), *rounds_fail(2, 3)]
    assert {due.ask.why for due in owed(recall(), [*THREE, *silent])} == {"too few votes"}
    assert {due.ask.why for due in owed(recall(), DIVIDED)} == {"the votes are divided"}
    assert {due.ask.why for due in owed(policy(audit=Fraction(1)), against)} == {
        "audit of an option that the votes reject"
    }


# ------------------------------------------------------------------------------------------------- the end


def test_a_kept_item_stores_its_options_in_a_seeded_order_with_their_history() -> None:
    verdict = end(recall(), [*DIVIDED, decision("cedar", "keep"), decision("delta", "reject"), *rounds_fail(2, 3)])
    body = json_of(verdict.body)

    assert (verdict.state, verdict.cause) == (ItemState.KEPT, "kept")
    assert (body["class"], body["topic"]) == (
        "Surveillance & Descriptive Epidemiology", "Frequency measures & standardization"
    )  # fmt: skip
    assert body["question"]["question"] == "Which was it?"
    told = {option["text"]: option for option in body["options"]}
    assert {text: (option["route"], option["fate"], option["ratio"]) for text, option in told.items()} == {
        "amber": ("keep", "keep", "4/4"),
        "basin": ("keep", "keep", "4/4"),
        "cedar": ("human", "keep", "2/4"),
        "delta": ("human", "reject", "2/4"),
    }
    assert told["cedar"]["decisions"] == [{"by": "human:ada", "decision": "keep", "reason": ""}]
    assert [vote["by"] for vote in told["cedar"]["votes"]] == ["green#1", "green#2", "red#1", "red#2"]
    assert sorted(body["order"]) == sorted([name("amber", CORRECT), name("basin"), name("cedar")])


def rounds_fail(*numbers: int) -> list[Answer]:
    return [refused("design_distractors", str(number)) for number in numbers]


def test_an_unfinished_item_can_be_shown_as_it_stands_once_it_has_a_question() -> None:
    begun, divided = (state_of(recall(), SEED, answers) for answers in ([*question()[:2]], DIVIDED))
    shown = json_of(recall().body(divided))

    assert recall().body(begun) is None
    assert [option["fate"] for option in shown["options"]] == ["keep", "keep", "human", "human"]
    assert shown["order"] == []


def test_the_order_of_the_options_differs_from_item_to_item_and_from_seed_to_seed() -> None:
    def order(slot: int, seed: int) -> tuple[str, ...]:
        rigged = Recall.of(replace(recall(rule=Rule(Fraction(1, 2), Fraction(1, 4), 2)).campaign, seed=seed), Path())
        verdict = end(rigged, [*THREE, *all_say(GOOD)], replace(SEED, slot=slot))
        return tuple(json_of(verdict.body)["order"])

    assert len({order(slot, 42) for slot in range(20)}) > 5
    assert len({order(0, seed) for seed in range(20)}) > 5


NO_RIGHT = [*THREE, *all_say(GOOD | {"amber": "wrong"}), *all_say(GOOD | {"amber": "wrong"}, 2)]


def test_an_item_without_a_kept_correct_option_is_kept_as_such_or_discarded_as_set() -> None:
    kept = end(recall(), NO_RIGHT)
    discarded = end(recall(no_correct="discard"), NO_RIGHT)

    assert (kept.state, kept.cause) == (ItemState.KEPT, "kept without a correct option")
    assert (discarded.state, discarded.cause) == (ItemState.DISCARDED, "no correct option kept")
    assert discarded.body is not None


def test_an_item_with_too_few_options_is_discarded_when_no_round_is_left() -> None:
    few = [*THREE, *all_say(GOOD | {"cedar": "flawed", "delta": "flawed"})]
    few += all_say(GOOD | {"cedar": "flawed", "delta": "flawed"}, 2)

    assert owed(recall(refills=1), few)[0].ask.wanted == 2
    verdict = end(recall(refills=0), few)
    assert (verdict.cause, verdict.detail) == ("too few options", "2 options left, 3 needed")
    assert end(recall(refills=0, min_options=2), few).state is ItemState.KEPT


# ------------------------------------------------------------------------------------------------ settings


def test_a_pipeline_is_found_by_name_and_names_its_sources_and_steps() -> None:
    made = PIPELINES["recall"].of(campaign(), Path())

    assert list(made.sources()) == ["taxonomy"]
    assert made.question_step == "write_question"
    assert {agent.name for agent in made.agents} >= {"choose_class", "check_option", "review_option"}


def test_items_begin_as_slots_say() -> None:
    outlines = [Outline(View(f"d{n}", (0,)), ("Findings",)) for n in range(3)]

    assert [seed.slot for seed in recall().admit(outlines, Progress(1, (), 9))] == [1, 2]


@pytest.mark.parametrize(
    "wrong", [{"topics": "any"}, {"distractors": 0}, {"min_options": 13}, {"refills": -1}, {"colour": "red"}]
)
def test_settings_outside_their_bounds_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        recall(**wrong)
