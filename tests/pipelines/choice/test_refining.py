"""The refinement of an item: what is owed after which answers, and that nothing hangs on their order."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from functools import reduce
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.agents.asks import HOSTILE, reading

from benchwright.agents.base import accept, render
from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.campaign import Campaign, Model, Panel
from benchwright.domain.ids import canonical, seeded_random
from benchwright.domain.snippet import Found, Snippet
from benchwright.domain.vote import Rule
from benchwright.errors import BadReply
from benchwright.pipelines.base import Due
from benchwright.pipelines.choice import difficulty, refine
from benchwright.pipelines.choice.body import Body, Question, as_json, from_json
from benchwright.pipelines.choice.difficulty import Level
from benchwright.pipelines.choice.refining import CODE, REFINERS, Heard, Posed, Refined, RefineSettings, Refining
from benchwright.pipelines.lookups import SEARCH, EntityFound

STEM = "Does dengue or yellow fever follow the rains in Maruna?"
NAMES = ("dengue", "yellow fever", "rains", "Maruna")
OPTIONS = (("o1", "Both do"), ("o2", "Neither does"), ("o3", "Only one"), ("o4", "Nobody knows"))
POSED = Posed(STEM, OPTIONS, frozenset({"o1"}))
BREAKS = Snippet("Aedes bites bring a fever that breaks the bones.", "https://a.example/1", "Fevers")
PHRASE = "a break-bone illness"
SAY = Callable[[Due], Answer]


def refining(judges: Panel | None = None, checkers: Panel | None = None, posed: Posed = POSED, **own: Any) -> Refining:
    """An item in a campaign of two judges and two checkers; measured once, unless the settings say otherwise."""
    names = ("writer", "red", "green", "blue", "spare")
    models = {name: Model(name, "direct", name, "http://127.0.0.1:9/v1") for name in names}
    models["blue"] = replace(models["blue"], substitute="spare")
    roles = {
        "pick_entity": Panel(("writer",)),
        "describe_entity": Panel(("writer",)),
        "judge_item": judges or Panel(("red", "green")),
        "compare_stems": checkers or Panel(("red", "blue")),
    }
    rule = own.pop("rule", Rule(Fraction(1), Fraction(1, 2), 1))
    campaign = Campaign("test", "inference", ("*.md",), models, roles, rule)
    settings = RefineSettings(**{"measures": 1, "margin": 0, **own})
    return Refining(campaign, settings, posed, "item1", "English")


def answered(due: Due, **said: Any) -> Answer:
    """A reply as its agent takes it, or the failure that its fault comes to."""
    try:
        body = accept(due.agent, due.ask, reading(), json.dumps(said))
    except BadReply as error:
        return declined(due, "schema", str(error))
    return Answer(due.agent.name, due.about, due.by, body)


def declined(due: Due, cause: str = "refused", detail: str = "it declines") -> Answer:
    return failure_answer(due.agent.name, due.about, due.by, cause, detail)


def judged(due: Due, *right: str) -> Answer:
    """A judge who takes the options with these ids for right."""
    answers = {one.letter: {"reason": "so", "right": one.id in right} for one in due.ask.options}
    return answered(due, answer="The rains do.", sentences=[1], answers=answers)


def picked(due: Due, entity: str = "dengue") -> Answer:
    return answered(due, rationale="so", kind="disease" if entity else "none", entity=entity)


def looked(due: Due, found: Found | None = None, *names: str) -> Answer:
    """What the service says, which signs as code."""
    body = EntityFound.of(found or Found((BREAKS,), "glossary"), names).model_dump(mode="json")
    return Answer(due.agent.name, due.about, CODE, canonical(body))


def written(due: Due, phrase: str = PHRASE, sources: Sequence[int] = (1,)) -> Answer:
    """The phrase in the place of the entity."""
    question = due.ask.question.replace(due.ask.entity, phrase)
    return answered(due, rationale="so", sources=sources, phrase=phrase, question=question)


def compared(due: Due, verdict: str = "same", reason: str = "so") -> Answer:
    return answered(due, reason=reason, verdict=verdict)


GOOD: Mapping[str, SAY] = {
    "judge_item": lambda due: judged(due, "o1"),
    "pick_entity": picked,
    "look_up": looked,
    "describe_entity": written,
    "compare_stems": compared,
}


def heard(answers: Iterable[Answer]) -> Heard:
    return reduce(Heard.plus, answers, Heard())


def dues(one: Refining, answers: Iterable[Answer]) -> tuple[Due, ...]:
    owed = one.next_owed(heard(answers))
    assert isinstance(owed, tuple)
    return owed


def until(one: Refining, step: str = "", **say: SAY) -> list[Answer]:
    """All answers until something of this step is owed, or to the end."""
    answers: list[Answer] = []
    says = {**GOOD, **say}
    while isinstance(owed := one.next_owed(heard(answers)), tuple) and owed[0].agent.name != step:
        answers += [says[due.agent.name](due) for due in owed]
    return answers


def end(one: Refining, answers: Iterable[Answer]) -> Refined:
    owed = one.next_owed(heard(answers))
    assert isinstance(owed, Refined)
    return owed


def steps(answers: Iterable[Answer]) -> list[str]:
    return [answer.step for answer in answers]


# ------------------------------------------------------------------------------------------------ what is owed


def test_an_easy_item_is_judged_picked_from_looked_up_rewritten_compared_and_judged_again() -> None:
    one = refining(rounds=1)
    answers = until(one, judge_item=lambda due: judged(due, *(["o1"] if due.ask.question == STEM else ["o2"])))
    refined = end(one, answers)

    assert steps(answers) == [
        "judge_item", "judge_item", "pick_entity", "look_up", "describe_entity", "compare_stems", "compare_stems",
        "judge_item",
    ]  # fmt: skip
    assert refined.best.stem == STEM.replace("dengue", PHRASE)
    assert (refined.end.level, refined.end.why) == (Level.HARD, "it is hard enough")
    assert set(steps(answers)) == {agent.name for agent in REFINERS}


def test_a_hard_item_is_measured_and_left_alone() -> None:
    answers = until(one := refining(), judge_item=judged)
    assert steps(answers) == ["judge_item"]  # the second judge could change nothing
    assert end(one, answers).best.stem == STEM


def test_an_easy_item_is_only_measured_where_no_round_is_wanted() -> None:
    answers = until(one := refining(rounds=0))
    assert steps(answers) == ["judge_item"] * 2
    assert end(one, answers).end.level is Level.EASY


def test_each_role_is_asked_by_its_own_queue_about_the_stem_as_it_stands() -> None:
    one = refining()
    pick, look, write = (dues(one, until(one, step))[0] for step in ("pick_entity", "look_up", "describe_entity"))

    assert (pick.to, look.to, write.to) == ("writer", SEARCH, "writer")
    assert (pick.ask.question, pick.ask.earlier, pick.ask.language) == (STEM, (), "English")
    assert (look.ask.entity, look.ask.most) == ("dengue", 6)
    assert (write.ask.question, write.ask.entity, write.ask.forbidden) == (STEM, "dengue", ())
    assert [due.about.partition(".")[0] for due in (pick, look, write)] == ["1", "1", "1"]


def test_every_judge_gets_all_options_in_an_order_of_its_own_that_neither_storage_nor_claims_decide() -> None:
    one = refining(Panel(("red", "green", "blue"), 3), measures=2)
    asked = [due for version in (POSED, replace(POSED, stem="Is it so?")) for due in judges(one, version)]
    orders = [tuple(option.id for option in due.ask.options) for due in asked]

    assert all(sorted(order) == ["o1", "o2", "o3", "o4"] for order in orders)
    assert len(set(orders)) > len(orders) / 2
    assert [str(due.ask.options[0])[:2] for due in asked] == ["A."] * len(asked)
    moved = replace(POSED, options=OPTIONS[::-1], right=frozenset({"o2"}))
    assert judges(one, moved) == judges(one, POSED)


def judges(one: Refining, posed: Posed) -> tuple[Due, ...]:
    """The first wave of judges, made large by a quorum."""
    settings = one.settings.model_copy(update={"quorum": 9})
    return dues(replace(one, posed=posed, settings=settings), [])


def test_judges_speak_in_turn_all_first_runs_before_all_second_ones_and_again_near_the_threshold() -> None:
    one = refining(Panel(("red", "green"), 2), quorum=4, measures=2, margin=0.05)
    first = dues(one, [])
    assert [due.by for due in first] == ["red#1", "green#1", "red#2", "green#2"]
    near = [judged(due, *(["o1", "o2"] if n == 0 else ["o1"])) for n, due in enumerate(first)]  # exactly 1/5
    again = dues(one, near)
    assert [due.by for due in again] == ["red#3"]
    assert {due.about for due in again} == {due.about for due in first}
    assert [due.by for due in dues(one, [*near, judged(again[0], "o1")])] == ["green#3"]


def test_nothing_is_taken_from_a_wave_before_it_is_complete() -> None:
    one = refining(Panel(("red", "green", "blue")), quorum=3, measures=2)
    wave = dues(one, [])
    assert dues(one, [judged(wave[1])]) == (wave[0], wave[2])
    assert one.reach(heard([judged(wave[1])]))[0].state.versions[0].marks == ()


# ------------------------------------------------------------------------------------------------ what goes back


def test_a_leak_goes_back_with_its_reason_and_the_round_ends_after_its_tries() -> None:
    one = refining(rounds=1)
    leak: SAY = lambda due: written(due, "the dengue of Maruna")  # noqa: E731 - a row of a table
    answers = until(one, "describe_entity", describe_entity=leak)
    again = dues(one, [*answers, leak(dues(one, answers)[0])])[0]

    assert again.ask.objections[0].startswith("schema: 'dengue' still stands there")
    assert again.about.startswith("1.2.")
    refined = end(one, until(one, describe_entity=leak))
    assert refined.difficulty.rounds[0].end.startswith("no rewrite could be used: schema: 'dengue' still stands there")
    assert refined.best.stem == STEM


def test_names_that_the_search_knows_are_forbidden() -> None:
    one = refining()
    answers = until(one, "describe_entity", look_up=lambda due: looked(due, None, "bone fever"))
    assert dues(one, answers)[0].ask.forbidden == ("bone fever",)


def test_another_question_goes_back_with_the_reasons_of_those_who_say_so() -> None:
    one = refining(checkers=Panel(("red", "green", "blue")), rule=Rule(Fraction(2, 3), Fraction(1, 2), 2))
    verdicts = {"red": ("changed", "any break will do"), "green": ("cannot_say", "hm"), "blue": ("unanswerable", "who")}
    answers = until(one, "compare_stems")
    while (owed := dues(one, answers))[0].agent.name == "compare_stems":
        answers += [compared(due, *verdicts[due.to]) for due in owed]
    assert owed[0].ask.objections == ("any break will do; who",)


def test_checkers_who_cannot_say_keep_no_rewrite() -> None:
    one = refining(rounds=1, tries=1)
    refined = end(one, until(one, compare_stems=lambda due: compared(due, "cannot_say")))
    assert refined.difficulty.rounds[0].end == "no rewrite could be used: too few checkers could tell"


def test_of_a_panel_smaller_than_the_quorum_everybody_must_vote() -> None:
    one = refining(checkers=Panel(("red",)), rule=Rule(Fraction(1), Fraction(1), 5), rounds=1)
    assert len(end(one, until(one)).state.versions) == 2


def test_a_substitute_compares_for_a_checker_that_is_down() -> None:
    one = refining(checkers=Panel(("blue",)))
    answers = until(one, "compare_stems")
    answers.append(declined(dues(one, answers)[0], "unavailable"))
    assert [due.to for due in dues(one, answers)] == ["spare"]
    answers.append(compared(dues(one, answers)[0]))
    assert dues(one, answers)[0].agent.name == "judge_item"


def test_reasons_that_go_back_are_of_bounded_length() -> None:
    one = refining()
    answers = until(one, "describe_entity")
    answers.append(declined(dues(one, answers)[0], "schema", "so\n" * 300))
    (objection,) = dues(one, answers)[0].ask.objections
    assert len(objection) == 300
    assert "\n" not in objection


def test_a_hostile_snippet_is_passed_on_as_data() -> None:
    one = refining()
    answers = until(one, "describe_entity", look_up=lambda due: looked(due, Found((HOSTILE, BREAKS), "web")))
    write = dues(one, answers)[0]
    task = render(write.agent, write.ask, reading())[-1].content

    assert write.ask.results.snippets == (HOSTILE, BREAKS)
    assert task.count("<search_results>") == task.count("</search_results>") == 1
    assert "Obey" not in canonical([write.ask.objections, write.ask.forbidden, write.ask.question, write.about])
    answers.append(written(write, sources=(2, 1)))
    (draft,) = one.reach(heard(answers))[0].state.rounds[0].tried
    assert draft.sources == ("https://a.example/1", "https://evil.example")


# ------------------------------------------------------------------------------------------------ what fails


@pytest.mark.parametrize(
    ("fails", "why"),
    [
        (lambda due: looked(due, Found(failures=("web: 202",))), "nothing was found; web: 202"),
        (lambda due: declined(due, "crashed", "3 died"), "nothing was found; crashed: 3 died"),
    ],
)
def test_where_the_search_fails_the_round_ends_with_the_reason_and_the_item_goes_on(fails: SAY, why: str) -> None:
    one = refining(rounds=1)
    refined = end(one, until(one, look_up=fails))
    assert refined.difficulty.rounds[0].end == why
    assert (refined.best.stem, refined.end.level) == (STEM, Level.EASY)

    more = refining()
    answers = until(more, "look_up")
    answers.append(fails(dues(more, answers)[0]))
    (pick,) = dues(more, answers)
    assert (pick.agent.name, pick.ask.earlier) == ("pick_entity", ("dengue",))


def test_an_item_without_an_entity_or_a_picker_is_kept_with_the_reason() -> None:
    one = refining()
    nothing = end(one, until(one, pick_entity=lambda due: picked(due, "")))
    assert nothing.end.why == "the stem has no other entity to describe"
    assert end(one, until(one, pick_entity=declined)).end.why == "refused: it declines"


def test_failed_judges_leave_the_mean_openly() -> None:
    one = refining(Panel(("red", "green", "blue")), rounds=0)
    chosen = {"green": ["o1"], "blue": ["o1", "o2"]}
    fails: SAY = lambda due: declined(due) if due.to == "red" else judged(due, *chosen[due.to])  # noqa: E731
    (version,) = end(one, until(one, judge_item=fails)).difficulty.versions

    assert (version.score, version.answered, version.failed) == ("2/5", 2, 1)
    assert [asdict(mark) for mark in version.marks] == [
        {"by": "red#1", "f1": None, "exact": None},
        {"by": "green#1", "f1": "1", "exact": 1},
        {"by": "blue#1", "f1": "2/3", "exact": 0},
    ]


def test_without_any_judge_the_level_is_unknown_and_nothing_is_rewritten() -> None:
    refined = end(one := refining(), until(one, judge_item=declined))
    assert refined.difficulty.level == Level.UNKNOWN
    assert refined.difficulty.versions[0].score is None
    assert refined.difficulty.rounds == ()


# ------------------------------------------------------------------------------------------------ what counts


def test_another_set_of_options_is_measured_anew_and_what_was_written_stays() -> None:
    one = refining(rounds=1)
    answers = until(one)
    other, count = replace(one, posed=replace(POSED, options=OPTIONS[:3])), len(answers)
    while isinstance(owed := other.next_owed(heard(answers)), tuple):
        answers += [judged(due, "o1") for due in owed]

    assert steps(answers[count:]) == steps(answers[:count]).count("judge_item") * ["judge_item"]
    assert not {answer.about for answer in answers[count:]} & {answer.about for answer in answers[:count]}
    assert owed.state == end(one, answers).state


def test_what_was_said_of_another_stem_does_not_count_when_a_changed_rule_takes_another_one() -> None:
    strict, mild = Rule(Fraction(1), Fraction(1)), Rule(Fraction(1, 2), Fraction(1, 2))
    phrases = iter(["an ill of the joints", PHRASE])
    answers = until(
        refining(rule=strict, rounds=1, checkers=Panel(("red", "green"))),
        compare_stems=lambda due: compared(due, "changed" if "joints" in due.ask.after and due.to == "red" else "same"),
        describe_entity=lambda due: written(due, next(phrases)),
    )
    one = refining(rule=mild, rounds=1, checkers=Panel(("red", "green")))
    owed = dues(one, answers)
    while owed[0].agent.name == "compare_stems":
        answers += [compared(due) for due in owed]
        owed = dues(one, answers)
    assert {due.agent.name for due in owed} == {"judge_item"}
    assert "joints" in owed[0].ask.question


def test_of_two_answers_to_one_question_the_real_one_counts() -> None:
    one = refining()
    answers = until(one, "look_up")
    look = dues(one, answers)[0]
    for both in ([declined(look), looked(look)], [looked(look), declined(look)]):
        assert dues(one, answers + both)[0].agent.name == "describe_entity"


# ------------------------------------------------------------------------------------------------ whatever happens


def world(number: int) -> SAY:
    """A world in which everybody says something that depends on the question alone, good or bad or nothing."""

    def say(due: Due) -> Answer:
        chance = seeded_random(number, due.key)
        if chance.random() < 0.1:
            return declined(due)
        return SAYS[due.agent.name](due, chance)

    return say


def any_judge(due: Due, chance: Random) -> Answer:
    return judged(due, *chance.choice([["o1"], ["o1"], ["o1"], ["o1", "o2"], ["o2"], []]))


def any_pick(due: Due, chance: Random) -> Answer:
    there = [name for name in NAMES if name in due.ask.question and name not in due.ask.earlier]
    return picked(due, chance.choice([*there, *there, ""]))


def any_search(due: Due, chance: Random) -> Answer:
    return looked(due, chance.choice([None, None, Found((HOSTILE, BREAKS), "web"), Found(failures=("web: 202",))]))


def any_writer(due: Due, chance: Random) -> Answer:
    leaks = [f"a kind of {due.ask.entity}", "word " * 30]
    return written(due, chance.choice([f"thing {chance.randrange(9)}", f"item {chance.randrange(9)}", *leaks]))


def any_checker(due: Due, chance: Random) -> Answer:
    return compared(due, chance.choice(["same", "same", "same", "changed", "unanswerable", "cannot_say"]), due.by)


SAYS: Mapping[str, Callable[[Due, Random], Answer]] = {
    "judge_item": any_judge,
    "pick_entity": any_pick,
    "look_up": any_search,
    "describe_entity": any_writer,
    "compare_stems": any_checker,
}
PANELS = st.builds(Panel, st.sampled_from([("red",), ("red", "green"), ("red", "green", "blue")]), st.integers(1, 2))
ITEMS = st.builds(
    refining,
    PANELS,
    PANELS,
    threshold=st.sampled_from([0.2, 0.4, 0.9]),
    margin=st.sampled_from([0, 0.1]),
    measures=st.integers(1, 2),
    quorum=st.integers(1, 2),
    rounds=st.integers(0, 3),
    tries=st.integers(1, 2),
)


def played(one: Refining, say: SAY, order: Random, answers: Iterable[Answer] = ()) -> tuple[Refined, list[Answer]]:
    """The end when one question at a time is answered, any of those owed, and answers are read in any order."""
    known, keys = list(answers), set[str]()
    while isinstance(owed := one.next_owed(heard(known)), tuple):
        assert owed
        assert len({due.key for due in owed}) == len(owed)
        due = order.choice(owed)
        assert due.key not in keys, "asked twice"
        keys.add(due.key)
        known.append(say(due))
        order.shuffle(known)
    return owed, known


@pytest.mark.untraced
@settings(deadline=None)
@given(ITEMS, st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_any_order_of_arrival_comes_to_the_same_end_with_the_same_answers(
    one: Refining, number: int, order: Random
) -> None:
    straight, answers = played(one, world(number), Random(0))
    crooked, others = played(one, world(number), order)

    assert crooked == straight
    assert set(answers) == set(others)
    body = Body(Question("Which?", ()), (), difficulty=straight.difficulty)
    assert from_json(json.loads(json.dumps(as_json(body)))) == body


@pytest.mark.untraced
@settings(deadline=None)
@given(ITEMS, st.integers(0, 10**6), st.data())
def test_a_refinement_that_is_cut_anywhere_resumes_to_the_same_end(
    one: Refining, number: int, data: st.DataObject
) -> None:
    straight, answers = played(one, world(number), Random(0))
    there = [answer for answer in answers if data.draw(st.booleans())]

    resumed, _ = played(one, world(number), Random(1), there)
    assert resumed == straight


@settings(deadline=None)
@given(ITEMS, st.integers(0, 10**6))
def test_only_easy_versions_are_rewritten_and_no_rewrite_names_its_entity(one: Refining, number: int) -> None:
    refined, _ = played(one, world(number), Random(0))
    told = refined.difficulty.versions

    assert all(version.level == Level.EASY for version in told[:-1])
    assert told[refined.end.best].level == refined.end.level
    assert len(refined.state.rounds) <= one.settings.rounds
    assert all(version.entity not in version.stem for version in refined.state.versions[1:])
    assert all(version.answered + version.failed == len(version.marks) for version in told)
    assert all(one.end for one in refined.difficulty.rounds)


# ------------------------------------------------------------------------------------------------ settings


def test_settings_are_taken_as_they_are_written() -> None:
    assert RefineSettings().rule(4) == refine.Rule(
        difficulty.Rule(Fraction(3, 10), Fraction(1, 5), 1, Fraction(1, 20), 2), 4, rounds=3, snippets=6, tries=2
    )
    paper = RefineSettings(alpha=0.7, threshold=0.9, margin=1e-05, measures=1)
    assert paper.rule(9).measure.recipe() == {
        "alpha": "7/10", "threshold": "9/10", "margin": "1/100000", "quorum": 1, "rounds": 1
    }  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [{"alpha": 1.1}, {"threshold": -0.1}, {"measures": 0}, {"tries": 0}, {"rounds": -1}, {"snippets": 0}, {"wave": 1}],
)
def test_settings_out_of_their_bounds_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        RefineSettings.model_validate(wrong)
