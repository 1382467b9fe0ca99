"""Vetoes of families: what becomes of a thing, and that stopping early never changes it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.campaign import Model, Panel
from benchwright.domain.veto import FamilyRule
from benchwright.domain.vote import Route, Rule, Vote, route, tally
from benchwright.domain.waves import CALLS, FRUGAL, Waves, count, fewest, size

PLAIN = Rule(Fraction(3, 5), Fraction(1, 3), 2)
FAMILIES = {"red": "", "green": "leaf", "lime": "leaf", "blue": "sky", "spare": "other"}
MODELS = {name: Model(name, "direct", name, family=family) for name, family in FAMILIES.items()}
SAYS = {"y": True, "n": False, "-": None}


def rule_of(models: tuple[str, ...], runs: int, rule: Rule = PLAIN) -> FamilyRule:
    return FamilyRule.of(rule, Panel(models, runs), MODELS)


def votes_of(**said: str) -> list[Vote]:
    """The words of each model, a letter for each run."""
    return [
        Vote("it", f"{model}#{run}", SAYS[word]) for model, words in said.items() for run, word in enumerate(words, 1)
    ]


def end_by_all(votes: list[Vote], rule: FamilyRule) -> Route:
    """The definition: the rule, but what it keeps goes to people where all of a family's words are no, two at least."""
    words: dict[str, list[bool | None]] = {}
    for vote in votes:
        words.setdefault(rule.families[vote.by.partition("#")[0]], []).append(vote.keep)
    found = route(tally(votes), rule.rule)
    vetoed = any(len(said) > 1 and set(said) == {False} for said in words.values())
    return Route.HUMAN if found is Route.KEEP and vetoed else found


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ({"red": "yyy", "green": "yyy", "blue": "nnn"}, Route.HUMAN),  # 6 of 9 would be kept
        ({"red": "yyy", "green": "yyy", "blue": "nny"}, Route.KEEP),
        ({"red": "yyy", "green": "yyy", "blue": "nn-"}, Route.KEEP),  # it could not say once
        ({"red": "yyy", "green": "yyy", "blue": "nn"}, Route.HUMAN),  # a run failed, and the others say no
        ({"red": "yyy", "green": "yyy", "blue": "n"}, Route.KEEP),  # one vote is no pattern
        ({"red": "nnn", "green": "nnn", "blue": "nnn"}, Route.REJECT),  # a veto saves nothing
        ({"red": "yyy", "green": "yyn", "blue": "nny"}, Route.KEEP),
        ({"red": "yyn", "green": "ynn", "blue": "nnn"}, Route.HUMAN),  # divided anyway
    ],
)
def test_a_family_that_says_no_in_all_its_runs_sends_what_would_be_kept_to_people(
    said: dict[str, str], wanted: Route
) -> None:
    rule = rule_of(("red", "green", "blue"), 3)
    assert rule.certain_end(count(votes_of(**said), rule), 0) is wanted


def test_two_models_of_one_family_are_one_voice() -> None:
    rule = rule_of(("red", "green", "lime", "blue", "spare"), 1)
    found = count(votes_of(red="y", green="n", lime="n", blue="y", spare="y"), rule)
    assert found.vetoing == ("leaf",)
    assert rule.certain_end(found, 0) is Route.HUMAN


def test_a_stand_in_vetoes_like_a_family_of_its_own() -> None:
    rule = rule_of(("red", "green", "blue"), 2)
    assert rule.certain_end(count(votes_of(red="yy", green="yy", spare="nn"), rule), 0) is Route.HUMAN


def test_a_panel_that_agrees_is_not_asked_longer_than_each_family_needs_to_be_heard() -> None:
    rule = rule_of(("red", "green", "blue"), 3)
    first = count(votes_of(red="y", green="y", blue="y"), rule)
    assert rule.certain_end(first, 6) is None
    assert rule.certain_end(count(votes_of(red="yy", green="yy", blue="yy"), rule), 3) is Route.KEEP


PANELS = st.sampled_from([("red",), ("red", "green"), ("red", "green", "lime"), ("red", "green", "blue")])
RULES = st.sampled_from(
    [
        PLAIN,
        Rule(Fraction(4, 5), Fraction(7, 10), 3),
        Rule(Fraction(1, 2), Fraction(1, 2), 1),
        Rule(Fraction(1), Fraction(0)),
    ]
)


@given(data=st.data(), models=PANELS, runs=st.integers(1, 3), plain=RULES)
def test_no_vote_that_is_left_out_could_change_the_route(
    data: st.DataObject, models: tuple[str, ...], runs: int, plain: Rule
) -> None:
    rule = rule_of(models, runs, plain)
    turns = [f"{model}#{run + 1}" for run in range(runs) for model in models]
    words = data.draw(st.lists(st.sampled_from(["y", "n", "-", "failed"]), min_size=len(turns), max_size=len(turns)))
    said = [Vote("it", by, SAYS[word]) if word != "failed" else None for by, word in zip(turns, words, strict=True)]
    whole = end_by_all([vote for vote in said if vote], rule)
    for heard in range(len(turns) + 1):
        early = rule.certain_end(count(filter(None, said[:heard]), rule), len(turns) - heard)
        assert early in {None, whole}
    assert early is whole


@given(data=st.data(), models=PANELS, runs=st.integers(1, 3), plain=RULES, waves=st.sampled_from([FRUGAL, CALLS, 2]))
def test_waves_end_at_the_route_of_all_votes(
    data: st.DataObject, models: tuple[str, ...], runs: int, plain: Rule, waves: Waves
) -> None:
    rule = rule_of(models, runs, plain)
    turns = [f"{model}#{run + 1}" for run in range(runs) for model in models]
    words = data.draw(st.lists(st.sampled_from([True, False, None]), min_size=len(turns), max_size=len(turns)))
    votes = [Vote("it", by, word) for by, word in zip(turns, words, strict=True)]
    heard = 0
    while (end := rule.certain_end(found := count(votes[:heard], rule), len(turns) - heard)) is None:
        heard += size(waves, heard, len(turns), [found], rule)
    assert end is end_by_all(votes, rule)


def test_the_smallest_wave_that_could_settle_it_counts_one_voice_of_each_family() -> None:
    rule = rule_of(("red", "green", "blue"), 3)
    assert fewest(rule.nothing, 9, rule) == 6  # six of nine suffice, one of each family among them
    veto = count(votes_of(red="yyy", green="yy", blue="nn"), rule)
    assert fewest(veto, 2, rule) == 1


def test_the_rule_says_how_few_votes_may_decide() -> None:
    rule = rule_of(("red",), 3)
    assert rule.quorum == 2
    assert rule == rule_of(("red",), 3)
    assert hash(rule) == hash(rule_of(("red",), 3))
