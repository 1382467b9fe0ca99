"""A refinement round by round: what is owed, what goes back, what is kept."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.snippet import Found, Snippet
from benchwright.pipelines.choice import difficulty
from benchwright.pipelines.choice.difficulty import Level, Mark, pool, score
from benchwright.pipelines.choice.refine import (
    REWRITTEN,
    Compare,
    Compared,
    Done,
    Fact,
    Judge,
    Judged,
    Look,
    Looked,
    Owed,
    Pick,
    Picked,
    Refinement,
    Rule,
    Write,
    Written,
    begin,
    next_owed,
    step,
)

RELEASED = difficulty.Rule(Fraction("0.3"), Fraction("0.2"))
RULE = Rule(RELEASED, judges=4)
RIGHT, WRONG = Mark(Fraction(1), 1), Mark(Fraction(0), 0)
STEM = "Does dengue or yellow fever follow the rains in Maruna?"
BREAKS = Found((Snippet("Aedes bites bring a fever that breaks the bones.", "https://a.example/1"),), "glossary")
FOUND = Looked(BREAKS, ("break bone fever", "DENV"))
BONES = Written("a break-bone illness", STEM.replace("dengue", "a break-bone illness"), ("https://a.example/1",))
EASY = Judged(0, (RIGHT, RIGHT, RIGHT, RIGHT))


def after(*facts: Fact, rule: Rule = RULE) -> Refinement:
    state = begin(STEM)
    for fact in facts:
        state = step(state, fact, rule)
    return state


def test_a_stem_that_is_hard_enough_is_measured_and_left_alone() -> None:
    assert next_owed(after(), RULE) == Judge(0, 1)
    assert next_owed(after(Judged(0, (WRONG,))), RULE) == Done(0, Level.HARD, "it is hard enough")


def test_an_easy_stem_is_picked_from_looked_up_rewritten_compared_and_judged_again() -> None:
    facts: list[Fact] = [EASY]
    assert next_owed(after(*facts), RULE) == Pick(STEM, ())
    facts.append(Picked("dengue"))
    assert next_owed(after(*facts), RULE) == Look("dengue", 6)
    facts.append(FOUND)
    assert next_owed(after(*facts), RULE) == Write(STEM, "dengue", ("break bone fever", "DENV"), BREAKS.snippets, ())
    facts.append(BONES)
    assert next_owed(after(*facts), RULE) == Compare(STEM, BONES.stem)
    facts.append(Compared(same=True))
    assert next_owed(after(*facts), RULE) == Judge(1, 1)
    assert after(*facts).versions[1].sources == ("https://a.example/1",)
    assert after(*facts).rounds[0].end == REWRITTEN
    facts.append(Judged(1, (RIGHT, RIGHT, RIGHT, RIGHT)))
    assert next_owed(after(*facts), RULE) == Pick(BONES.stem, ("dengue",))
    facts += [Picked("yellow fever"), Looked(BREAKS, ("yellow jack",))]
    write = next_owed(after(*facts), RULE)
    assert isinstance(write, Write)
    assert write.forbidden == ("yellow jack", "dengue", "break bone fever", "DENV")  # what was taken out stays out


def test_a_leak_goes_back_with_its_reasons_and_a_round_tries_twice() -> None:
    leak = Written("dengue by another name", STEM.replace("dengue", "dengue by another name"))
    facts: list[Fact] = [EASY, Picked("dengue"), FOUND, leak]
    again = next_owed(after(*facts), RULE)
    assert isinstance(again, Write)
    assert again.objections[0].startswith("'dengue' still stands there")
    facts.append(Written(why="the writer declined"))
    state = after(*facts)
    assert state.rounds[0].end == "no rewrite could be used: the writer declined"
    assert state.rounds[0].tried == (leak, facts[-1])  # all of it is kept
    assert next_owed(state, RULE) == Pick(STEM, ("dengue",))


def test_another_question_goes_back_with_the_checkers_reason() -> None:
    facts: list[Fact] = [EASY, Picked("dengue"), FOUND, BONES, Compared(same=False, why="any break will do")]
    again = next_owed(after(*facts), RULE)
    assert isinstance(again, Write)
    assert again.objections == ("any break will do",)
    assert len(after(*facts, BONES, Compared(same=True)).versions) == 2


def test_where_nothing_is_found_the_round_ends_and_says_why() -> None:
    state = after(EASY, Picked("dengue"), Looked(Found(failures=("duckduckgo: no answer within 10 s",))))
    assert state.rounds[0].end == "nothing was found; duckduckgo: no answer within 10 s"
    assert next_owed(state, RULE) == Pick(STEM, ("dengue",))


def test_an_entity_that_is_not_in_the_stem_or_came_before_costs_its_round() -> None:
    state = after(EASY, Picked("malaria"), Picked("dengue"), Looked(Found()), Picked("Dengue"))
    assert [one.end.partition(":")[0] for one in state.rounds] == [
        "'malaria' does not stand in the question",
        "nothing was found",
        "'Dengue' was chosen before",
    ]
    assert next_owed(state, RULE) == Done(0, Level.EASY, "it is still easy after 3 rounds")


def test_a_stem_without_another_entity_is_kept() -> None:
    assert next_owed(after(EASY, Picked("")), RULE) == Done(0, Level.EASY, "the stem has no other entity to describe")
    assert next_owed(after(EASY, Picked("", "it declines")), RULE) == Done(0, Level.EASY, "it declines")


def test_the_other_side_of_an_abbreviation_in_any_stem_must_not_be_said_either() -> None:
    state = begin("Does lymphatic filariasis (LF) follow the rains?")
    worms = Written("worms of the lymph", "Do worms of the lymph follow the rains?")
    facts = EASY, Picked("LF"), Looked(BREAKS), worms, Compared(same=True), Judged(1, EASY.marks), Picked("rains")
    for fact in facts:
        state = step(state, fact, RULE)
    write = next_owed(step(state, Looked(BREAKS), RULE), RULE)
    assert isinstance(write, Write)
    assert write.forbidden == ("LF", "lymphatic filariasis")


def test_without_judges_the_level_is_unknown_and_a_measured_version_is_kept() -> None:
    failed = (None, None, None, None)
    assert next_owed(after(Judged(0, failed)), RULE) == Done(0, Level.UNKNOWN, "too few judges answered")
    state = after(EASY, Picked("dengue"), FOUND, BONES, Compared(same=True), Judged(1, failed))
    assert next_owed(state, RULE) == Done(0, Level.EASY, "too few judges answered")


def test_judges_that_early_stopping_left_out_are_asked_when_the_choice_of_the_hardest_hangs_on_them() -> None:
    rule = Rule(difficulty.Rule(Fraction("0.3"), Fraction("0.9")), judges=2, rounds=1, hardest=True)
    sure, near = Mark(Fraction(1, 2), 0), Mark(Fraction(4, 5), 0)
    facts: list[Fact] = [Judged(0, (sure,)), Picked("dengue"), FOUND, BONES, Compared(same=True), Judged(1, (near,))]
    assert next_owed(after(*facts, rule=rule), rule) == Judge(0, 1)
    facts.append(Judged(0, (near,)))
    assert next_owed(after(*facts, rule=rule), rule) == Judge(1, 1)
    facts.append(Judged(1, (WRONG,)))
    assert next_owed(after(*facts, rule=rule), rule) == Done(1, Level.EASY, "it is still easy after 1 rounds")


def test_a_rewrite_is_kept_only_if_it_is_hard_by_the_mean_of_all_measures() -> None:
    twice = difficulty.Rule(Fraction("0.3"), Fraction("0.4"), rounds=2)
    rule = Rule(twice, judges=2, rounds=1)
    facts: list[Fact] = [Judged(0, (RIGHT, RIGHT)), Picked("dengue"), FOUND, BONES, Compared(same=True)]
    facts.append(Judged(1, (WRONG, RIGHT)))  # 1/2, above the threshold, yet one measure may be luck
    owed = next_owed(after(*facts, rule=rule), rule)
    assert isinstance(owed, Judge)
    assert owed.version == 1
    lucky, sound = [*facts, Judged(1, (RIGHT, RIGHT))], [*facts, Judged(1, (RIGHT, WRONG))]
    assert next_owed(after(*lucky, rule=rule), rule) == Done(0, Level.EASY, "it is still easy after 1 rounds")
    assert next_owed(after(*sound, rule=rule), rule) == Done(1, Level.HARD, "it is hard enough")
    once = Rule(twice, judges=2, rounds=1, hardest=True)
    assert next_owed(after(*facts, rule=once), once) == Done(1, Level.HARD, "it is hard enough")


def test_where_no_version_is_hard_the_first_is_kept_unless_the_hardest_is_wanted() -> None:
    slip = Mark(Fraction(4, 5), 0)
    facts: list[Fact] = [
        EASY,
        Picked("dengue"),
        FOUND,
        BONES,
        Compared(same=True),
        Judged(1, (slip, RIGHT, RIGHT, RIGHT)),
    ]
    rule, hardest = (Rule(RELEASED, judges=4, rounds=1, hardest=one) for one in (False, True))
    assert next_owed(after(*facts, rule=rule), rule) == Done(0, Level.EASY, "it is still easy after 1 rounds")
    assert next_owed(after(*facts, rule=hardest), hardest) == Done(1, Level.EASY, "it is still easy after 1 rounds")


def test_a_first_version_that_takes_the_place_of_another_has_to_be_proven_too() -> None:
    rule = Rule(difficulty.Rule(Fraction("0.3"), Fraction("0.4"), rounds=2), judges=2, proven=True)
    assert isinstance(next_owed(after(Judged(0, (WRONG, RIGHT)), rule=rule), rule), Judge)


MARKS = st.one_of(
    st.none(),
    st.just(RIGHT),
    st.just(WRONG),
    st.builds(Mark, st.sampled_from([Fraction(n, 6) for n in range(6)]), st.just(0)),
)
MEASURES = st.builds(
    difficulty.Rule,
    st.fractions(0, 1, max_denominator=10),
    st.fractions(0, 1, max_denominator=10),
    st.integers(0, 2),
    st.sampled_from([Fraction(0), Fraction(1, 5)]),
    st.integers(1, 2),
)
WORDS = ("dengue", "yellow fever", "rains", "Maruna", "malaria", "")


def outcome(wanted: Owed, data: st.DataObject, marks: Sequence[Iterator[Mark | None]]) -> Fact:
    """Whatever may come of the thing owed."""
    match wanted:
        case Judge():
            return Judged(wanted.version, tuple(next(marks[wanted.version]) for _ in range(wanted.more)))
        case Pick():
            return Picked(data.draw(st.sampled_from(WORDS)))
        case Look():
            return data.draw(st.sampled_from([FOUND, Looked(Found(failures=("empty",)))]))
        case Write():
            good = Written("it", wanted.stem.replace(wanted.entity, "it"))
            return data.draw(st.sampled_from([good, Written("it", wanted.stem), Written(why="declined")]))
        case Compare():
            return Compared(same=data.draw(st.booleans()), why="another question")
        case Done():  # pragma: no cover
            raise AssertionError("nothing comes of the end")


@pytest.mark.untraced
@given(st.data(), MEASURES, st.integers(1, 3), st.integers(0, 3), st.integers(1, 2))
def test_any_refinement_ends_and_keeps_what_judging_everything_in_full_would_keep(
    data: st.DataObject, measure: difficulty.Rule, judges: int, rounds: int, tries: int
) -> None:
    rule = Rule(measure, judges, rounds, tries=tries, hardest=data.draw(st.booleans()))
    answers = [
        data.draw(st.lists(MARKS, min_size=judges * measure.rounds, max_size=judges * measure.rounds)) for _ in range(4)
    ]
    streams = [iter(marks) for marks in answers]
    state, steps = begin(STEM), 0
    while not isinstance(wanted := next_owed(state, rule), Done):
        state = step(state, outcome(wanted, data, streams), rule)
        steps += 1
    assert len(state.rounds) <= rounds
    assert all(one.end for one in state.rounds)
    assert all(len(one.tried) <= tries for one in state.rounds)
    assert steps <= 4 * judges * measure.rounds + rounds * (2 + 2 * tries)

    full = [in_full(marks, judges, rule.measure_of(n)) for n, marks in enumerate(answers[: len(state.versions)])]
    levels = [found for found, _ in full]
    assert all(found is Level.EASY for found in levels[:-1])
    scores = [value for _, value in full]
    assert wanted.level is levels[wanted.best]
    best = scores.index(max(scores)) if rule.hardest else 0
    assert wanted.best == (len(levels) - 1 if levels[-1] is Level.HARD else best)


def in_full(marks: Sequence[Mark | None], judges: int, rule: difficulty.Rule) -> tuple[Level, Fraction]:
    """The level and score when whole rounds are asked; -1 without enough answers."""
    for number in range(1, rule.rounds + 1):
        found = pool(marks[: number * judges], rule)
        level = difficulty.level(found, rule, last=number == rule.rounds)
        if level in {Level.EASY, Level.HARD}:
            break
    value = score(found)
    return level, Fraction(-1) if value is None or level is Level.UNKNOWN else value


@pytest.mark.parametrize("same", [True, False])
def test_no_more_rewrites_than_allowed_are_asked_for(same: bool) -> None:
    rule = Rule(RELEASED, judges=1, rounds=1, tries=1)
    state = after(Judged(0, (RIGHT,)), Picked("dengue"), FOUND, BONES, Compared(same, "no"), rule=rule)
    assert isinstance(next_owed(state, rule), Judge if same else Done)
