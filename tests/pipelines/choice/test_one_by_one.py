"""All three pipelines: folded answer by answer in any order; what their roles say; what they want and refuse."""

from functools import cache, reduce
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import scripted_choice as choices
from tests.contracts.pipeline import Run
from tests.pipelines.choice import test_recall_contract as recalls
from tests.scripted_recall import pipeline as recall

from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Panel, Quota
from benchwright.domain.item import Progress, Seed
from benchwright.domain.source import outline
from benchwright.pipelines import PIPELINES
from benchwright.pipelines.base import Served, Steady, state_of

CHOICE = [name for name, one in PIPELINES.items() if one.kind.name == "choice"]

ONCE = {"rounds": 1, "measures": 1}
CHECKS = {"recall": "check_option", "inference": "check_inference", "reconstruction": "check_reconstruction"}


@cache
def played(name: str) -> tuple[Any, Seed, tuple[Answer, ...]]:
    """An item of a pipeline with all that was said about it, some of it in vain."""
    if name == "recall":
        made: Any = recall(panel=Panel(("red", "green"), 2))
        seed, say = recalls.seeds(made, 1)[0], recalls.world(made, recalls.Temper(0.1, 0.1)).say
    else:
        made = getattr(choices, name)(refine=ONCE, several_correct=1, none_correct=0, min_options=1)
        seed, say = choices.seeds(made, 1)[0], choices.world(made, choices.Temper(0.02, 0.1)).say
    run = Run(made, seed, say)
    run.to_the_end(Random(3))
    return made, seed, tuple(run.answers)


@pytest.mark.parametrize("name", CHOICE)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_a_state_is_the_same_in_whatever_order_its_answers_came(name: str, data: st.DataObject) -> None:
    made, seed, answers = played(name)
    part = answers[: data.draw(st.integers(0, len(answers)))]
    mixed = data.draw(st.permutations(part))

    state, usual = state_of(made, seed, mixed), state_of(made, seed, part)

    assert state == usual
    assert made.plan(state) == made.plan(usual)
    assert made.body(state) == made.body(usual)


@pytest.mark.parametrize("name", CHOICE)
def test_what_a_state_remembers_of_its_plans_changes_none_of_them(name: str) -> None:
    made, seed, answers = played(name)
    state = made.begin(seed)
    for number, answer in enumerate(answers, 1):
        other = reduce(made.fold, answers[number : number + 2], state)  # as if this one were late
        made.plan(other)
        state = made.fold(state, answer)
        assert made.plan(state) == made.plan(state) == made.plan(state_of(made, seed, answers[:number]))


@pytest.mark.parametrize("name", CHOICE)
def test_the_roles_say_who_serves_them_who_votes_and_who_has_substitutes(name: str) -> None:
    made, _, _ = played(name)
    roles = {role.name: role for role in made.roles}

    assert made.agents == tuple(role.agent for role in made.roles if role.served is not Served.CODE)
    assert [role.name for role in made.roles if role.votes] == [CHECKS[name]]
    assert all(role.duty and role.steady is Steady.STOP for role in made.roles)
    for role in made.roles:
        panel = role.name.startswith(("check_", "compare_"))
        assert role.stand_ins == panel
        assert (role.served is Served.PANEL) == (panel or role.name == "judge_item")
    assert roles["review_option"].served is Served.PEOPLE
    assert {role.name for role in made.roles if role.served is Served.CODE} <= {"look_up", "find_facts"}


@pytest.mark.parametrize("name", CHOICE)
def test_a_pipeline_says_what_it_draws_on(name: str) -> None:
    made, _, _ = played(name)

    assert ("taxonomy" in made.sources()) == (name != "reconstruction")


@pytest.mark.parametrize("name", CHOICE)
def test_a_pipeline_wants_its_target_or_so_many_for_each_document_and_begins_no_more(name: str) -> None:
    make = recall if name == "recall" else getattr(choices, name)
    for quota, wanted in ((Quota(target=4), 4), (Quota(per_document=3), 18)):
        made = make(quota=quota)
        sources = [outline(one, made.shows(one)) for one in choices.DOCUMENTS.values()]

        assert made.wanted_items("", sources) == wanted
        assert len(made.admit(sources, Progress(0, (), 100))) == wanted


@pytest.mark.parametrize("name", CHOICE)
def test_a_quorum_of_difficulty_that_its_pool_cannot_reach_is_a_fault_of_a_campaign(name: str) -> None:
    kind = PIPELINES[name]
    if name == "recall":  # which measures nothing
        assert kind.find_faults(kind.Settings(), {}) == ()
        return
    settings = kind.Settings(refine={"quorum": 9, "measures": 2})

    assert kind.find_faults(settings, {"judge_item": Panel(("red", "green"), 2)}) == [
        (
            ("refine", "quorum"),
            "is 9, but judge_item gives at most 8 answers (models: 2, runs: 2, measures: 2): lower it, or ask more",
        )
    ]
    assert not kind.find_faults(settings, {"judge_item": Panel(("red", "green", "blue"), 2)})
    assert not kind.find_faults(settings, {})  # that nobody judges is said elsewhere
    assert not kind.find_faults(kind.Settings(refine=False), {"judge_item": Panel(("red",))})
