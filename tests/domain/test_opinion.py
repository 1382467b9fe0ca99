"""What people's opinions come to."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.answer import Answer
from benchwright.domain.ids import canonical
from benchwright.domain.opinion import (
    WITHDRAWN,
    Combination,
    Combine,
    Opinion,
    Policy,
    Ruling,
    author_of_word,
    blind_opinions,
    is_name,
    may_say,
    opinion,
    rule_on,
    standing_opinions,
)

ONE, TWO, THREE = Policy(1), Policy(2), Policy(3)
JUDGED = Policy(2, adjudicator="judy")


def say(**words: str) -> tuple[Opinion, ...]:
    """Opinions by first name; a word after a colon is an edit's text."""
    found = [(name, *word.partition(":")[::2]) for name, word in words.items()]
    return tuple(
        Opinion(f"human:{name}", {"decision": decision, "reason": "", "text": text}) for name, decision, text in found
    )


def answer(by: str, decision: str, text: str = "") -> Answer:
    return Answer("review_option", "o1", by, canonical({"decision": decision, "reason": "so", "text": text}))


@pytest.mark.parametrize(
    ("policy", "said", "holds", "missing", "conflict"),
    [
        (ONE, say(), None, 1, False),
        (ONE, say(ada="keep"), "keep", 0, False),
        (ONE, say(ada="cannot_say"), None, 1, False),
        (ONE, say(ada="cannot_say", bob="reject"), "reject", 0, False),
        (ONE, say(ada="keep", bob="reject"), None, 1, True),
        (ONE, say(ada="keep", bob="reject", cyd="reject"), "reject", 0, True),
        (ONE, say(ada="keep", bob="reject", cyd="reject", dan="keep"), None, 1, True),
        (TWO, say(ada="keep"), None, 1, False),
        (TWO, say(ada="keep", bob="keep"), "keep", 0, False),
        (TWO, say(ada="keep", bob="edit:New"), None, 1, True),
        (TWO, say(ada="edit:New", bob="edit:New"), "edit", 0, False),
        (TWO, say(ada="edit:New", bob="edit:Newer"), None, 1, True),
        (TWO, say(ada="keep", bob="reject", cyd="edit:New"), None, 1, True),
        (TWO, say(ada="keep", bob="reject", cyd="keep"), "keep", 0, True),
        (THREE, say(ada="keep", bob="reject"), None, 1, False),
        (THREE, say(ada="keep", bob="reject", cyd="keep"), None, 1, True),
        (THREE, say(ada="keep", bob="reject", cyd="keep", dan="keep"), "keep", 0, True),
        (JUDGED, say(ada="keep", bob="reject"), None, 1, True),
        (JUDGED, say(ada="keep", bob="reject", cyd="reject"), None, 1, True),
        (JUDGED, say(ada="keep", bob="reject", judy="keep"), "keep", 0, True),
        (JUDGED, say(ada="keep", bob="keep"), "keep", 0, False),
    ],
)
def test_opinions_hold_conflict_or_are_too_few(
    policy: Policy, said: tuple[Opinion, ...], holds: str | None, missing: int, *, conflict: bool
) -> None:
    found = rule_on(said, policy)
    assert (found.holds and found.holds.decision, found.missing, found.conflict) == (holds, missing, conflict)


def test_nobody_is_asked_twice_and_a_named_adjudicator_gets_conflicts_alone() -> None:
    apart = say(ada="keep", bob="reject")
    assert [may_say(f"human:{name}", apart, TWO) for name in ("ada", "bob", "cyd")] == [False, False, True]
    assert [may_say(f"human:{name}", apart, JUDGED) for name in ("ada", "cyd", "judy")] == [False, False, True]
    assert [may_say(f"human:{name}", say(ada="keep"), JUDGED) for name in ("bob", "judy")] == [True, False]
    assert may_say("human:judy", say(), Policy(1, adjudicator="judy"))
    assert not may_say("human:cyd", apart, Policy(1, adjudicator="judy"))


def test_the_last_word_of_each_person_stands_unless_it_takes_the_one_before_back() -> None:
    words = [
        answer("human:ada", "keep"),
        answer("human:ada#2", "withdraw"),
        answer("human:ada#3", "reject"),
        answer("human:bob", "keep"),
        answer("human:bob#2", "withdraw"),
        *(answer(f"human:cyd#{n}", "withdraw") for n in range(2, 10)),
        answer("human:cyd#10", "edit", "New"),
    ]
    for seed in range(5):
        found = standing_opinions(Random(seed).sample(words, len(words)))
        assert [(said.by, said.decision, said.word) for said in found] == [
            ("human:ada", "reject", 3), ("human:cyd", "edit", 10)
        ]  # fmt: skip
    assert standing_opinions([]) == ()


def test_words_are_signed_with_their_number_from_the_second_on() -> None:
    assert [author_of_word("human:ada", words) for words in (0, 1, 9)] == ["human:ada", "human:ada#2", "human:ada#10"]
    assert opinion(answer("human:ada#2", "keep")) == Opinion(
        "human:ada", {"decision": "keep", "reason": "so", "text": ""}, word=2
    )


def test_an_edit_tells_its_wording_and_is_a_way_to_keep() -> None:
    edit, keep = say(ada="edit:New", bob="keep")
    assert edit.json() == {"by": "human:ada", "decision": "edit", "reason": "", "text": "New"}
    assert keep.json() == {"by": "human:bob", "decision": "keep", "reason": ""}
    assert Opinion("human:cyd", {"grade": 2, "text": "x"}).json() == {"by": "human:cyd", "grade": 2, "text": "x"}
    assert (edit.keeps, keep.keeps, say(cyd="reject")[0].keeps) == (True, True, False)


@given(
    st.dictionaries(st.sampled_from("abcdefg"), st.sampled_from(["keep", "reject", "edit:x", "cannot_say"])),
    st.integers(1, 4),
)
def test_either_an_opinion_holds_or_some_are_missing(words: dict[str, str], opinions: int) -> None:
    found = rule_on(say(**words), Policy(opinions))
    assert (found.holds is None) == (found.missing > 0)
    heard = [word for word in words.values() if word != "cannot_say"]
    if found.holds:
        assert len(heard) >= opinions
        assert 2 * heard.count(":".join(value for _, value in found.holds.weight())) > len(heard)


def grades(**given: int | str) -> tuple[Opinion, ...]:
    """Opinions by first name: grades, or that somebody cannot say."""
    return tuple(Opinion(f"human:{name}", {"grade": grade, "reason": name}) for name, grade in given.items())


MAJORITY = Combine(Combination.MAJORITY)
NEAR = Combine(Combination.MEAN, bound=1)


@pytest.mark.parametrize(
    ("policy", "said", "holds", "missing", "conflict"),
    [
        (TWO, say(ada="keep"), None, 1, False),
        (TWO, say(ada="keep", bob="keep"), "keep", 0, False),
        (TWO, say(ada="keep", bob="reject"), None, 1, True),
        (TWO, say(ada="keep", bob="reject", cyd="keep"), "keep", 0, False),
        (THREE, say(ada="keep", bob="reject", cyd="keep"), "keep", 0, False),
        (THREE, say(ada="keep", bob="reject", cyd="edit:x"), None, 1, True),
        (JUDGED, say(ada="keep", bob="reject"), None, 1, True),
        (JUDGED, say(ada="keep", bob="reject", judy="edit:x"), "edit", 0, True),
    ],
)
def test_a_majority_is_enough_and_a_tie_asks_for_one_more(
    policy: Policy, said: tuple[Opinion, ...], holds: str | None, missing: int, *, conflict: bool
) -> None:
    found = rule_on(said, policy, MAJORITY)
    assert (found.holds and found.holds.decision, found.missing, found.conflict) == (holds, missing, conflict)


@pytest.mark.parametrize(
    ("policy", "said", "mean", "missing", "conflict"),
    [
        (TWO, grades(ada=2), None, 1, False),
        (TWO, grades(ada=2, bob="cannot_say"), None, 1, False),
        (TWO, grades(ada=2, bob=3), Fraction(5, 2), 0, False),
        (TWO, grades(ada=0, bob=3), None, 1, True),
        (TWO, grades(ada=0, bob=3, cyd=3), Fraction(2), 0, True),
        (THREE, grades(ada=1, bob=1, cyd=2), Fraction(4, 3), 0, False),
        (JUDGED, grades(ada=0, bob=3), None, 1, True),
        (JUDGED, grades(ada=0, bob=3, judy=1), 1, 0, True),
    ],
)
def test_numbers_come_to_their_exact_mean_unless_they_lie_too_far_apart(
    policy: Policy, said: tuple[Opinion, ...], mean: Fraction | None, missing: int, *, conflict: bool
) -> None:
    found = rule_on(said, policy, NEAR)
    assert (found.holds and found.holds.values["grade"], found.missing, found.conflict) == (mean, missing, conflict)


def test_a_mean_is_of_the_named_values_and_texts_have_none() -> None:
    said = [Opinion(f"human:{n}", {"a": n, "b": 9 * n, "why": "a text"}) for n in (1, 2)]
    found = rule_on(said, TWO, Combine(Combination.MEAN, bound=1, over=("a", "why"))).holds
    assert found == Opinion("", {"a": Fraction(3, 2)})


def test_only_the_named_values_have_to_agree() -> None:
    said = [Opinion("human:ada", {"win": "a", "style": "b"}), Opinion("human:bob", {"win": "a", "style": "tie"})]
    assert rule_on(said, TWO).conflict
    assert rule_on(said, TWO, Combine(over=("win",))).holds == said[0]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=6), st.integers(0, 5), st.integers(1, 4))
def test_a_mean_lies_between_the_numbers_and_is_there_or_missing(given: list[int], bound: int, opinions: int) -> None:
    said = [Opinion(f"human:{n}", {"grade": grade}) for n, grade in enumerate(given)]
    found = rule_on(said, Policy(opinions), Combine(Combination.MEAN, bound))
    assert (found.holds is None) == (found.missing > 0)
    if found.holds:
        assert found.holds.values["grade"] == Fraction(sum(given), len(given))


def test_a_word_that_takes_another_back_is_the_same_on_every_card() -> None:
    words = [
        Answer("grade", "a", "human:ada", canonical({"grade": 2})),
        Answer("grade", "a", "human:ada#2", canonical(WITHDRAWN)),
    ]
    assert standing_opinions(words) == ()
    assert standing_opinions(words[:1])[0].values == {"grade": 2}


@pytest.mark.parametrize(
    ("values", "brief"),
    [
        ({"decision": "edit", "text": "New words"}, "edit"),
        ({"grade": 0, "reason": "so"}, "0"),
        ({"style": "win", "facts": "tie"}, "tie win"),
        ({"answer": "a text of some words"}, "filled in"),
    ],
)
def test_an_opinion_says_what_it_says_in_few_words(values: dict[str, object], brief: str) -> None:
    assert Opinion("human:ada", values).brief == brief


def test_the_policy_is_part_of_the_recipe() -> None:
    told = Policy(2, blind=False, audit=Fraction(1, 20), adjudicator="judy").recipe()
    assert told == {"opinions": 2, "blind": False, "audit": "1/20", "adjudicator": "judy"}
    assert Policy().judge == ""
    assert Ruling(None, 1).conflict is False


@pytest.mark.parametrize("name", ["", " ada", "a/b", "ada#2", "a\nb", "x" * 101])
def test_a_name_that_could_not_be_told_apart_is_none(name: str) -> None:
    assert not is_name(name)
    assert is_name("Zoë O'Hara")


def test_one_person_is_one_however_the_name_is_typed() -> None:
    typed = ("Zo\u00eb  Li", "zoe\u0308 li", "\uff3aO\u00cb LI")
    words = [answer(f"human:{name}", "keep") for name in typed[:1]] + [answer(f"human:{typed[1]}#2", "reject")]
    (said,) = standing_opinions(words)
    assert (said.decision, said.first, said.person) == ("reject", "keep", typed[1])
    assert {Opinion(f"human:{name}", {}).who for name in typed} == {said.who}
    assert not may_say(said.who, [said], Policy(2))


def test_agreement_takes_the_first_word_of_each_said_blind() -> None:
    words = [
        answer("human:ada", "keep"), answer("human:bob", "reject"), answer("human:bob#2", "withdraw"),
        answer("human:bob#3", "keep"), answer("human:cyd", "cannot_say"), answer("human:cyd#2", "keep"),
        answer("human:judy", "keep"),
    ]  # fmt: skip
    blind = blind_opinions(words, Policy(2, adjudicator="Judy"))
    assert [(said.person, said.decision) for said in blind] == [("ada", "keep"), ("bob", "reject")]
    first = blind_opinions(words[-1:], Policy(1, adjudicator="Judy"))
    assert [said.person for said in first] == ["judy"]
    assert [said.first for said in standing_opinions(words)] == ["", "reject", "cannot_say", ""]
    assert standing_opinions(words)[1].json()["first"] == "reject"


def test_only_listed_reviewers_and_the_adjudicator_are_admitted() -> None:
    listed = Policy(2, adjudicator="Judy", reviewers=("Ada",))
    assert [listed.admits(f"human:{name}") for name in ("ada", "judy", "eve")] == [True, True, False]
    assert Policy().admits("human:eve")
    assert "reviewers" not in listed.recipe()


def test_the_name_of_a_person_stands_without_the_mark_of_people() -> None:
    assert Opinion("human:ada", {"decision": "keep"}).person == "ada"


def test_where_each_word_stands_for_itself_nothing_is_put_together_and_nothing_conflicts() -> None:
    each = Combine(Combination.EACH)
    heard = [Opinion(f"human:{name}", {"side": side}) for name, side in (("ada", "first"), ("bob", "second"))]
    assert rule_on(heard[:1], Policy(opinions=2), each) == Ruling(None, 1)
    ruling = rule_on(heard, Policy(opinions=2), each)
    assert (ruling.missing, ruling.conflict, ruling.holds and ruling.holds.weight()) == (0, False, ())
