"""How far models agree with people: only on pairs that were drawn, with ties both ways and intervals over queries."""

import pytest
from tests.retrieval.made import retrieval

from benchwright.domain.agreement import cohen
from benchwright.domain.item import ItemState, Seed
from benchwright.pipelines.kind import Seen
from benchwright.pipelines.retrieval.agreement import WithPeople
from benchwright.pipelines.retrieval.body import Pair, Said
from benchwright.pipelines.retrieval.kind import RETRIEVAL


def pair(query: int, models: int | None, *people: int | None) -> Pair:
    said = tuple(Said(f"human:{n}", "", "", grade) for n, grade in enumerate(people))
    return Pair(f"q{query}", "qa", "c", "q", "d", "passage", own=False, people=said, grade=1, panel=models)


SEEN = [pair(n % 6, n % 4, n % 4, (n + (n % 5 == 0)) % 4, n % 4) for n in range(24)]


def taken(pairs: list[Pair]) -> WithPeople:
    found = WithPeople()
    for one in pairs:
        found.take(one)
    return found


def test_pairs_on_which_models_disagree_or_that_nobody_graded_are_left_out() -> None:
    found = taken([pair(1, None, 2), pair(1, 2), pair(1, 2, None), pair(1, 2, 3)])
    assert [(one.models, one.people) for one in found.seen] == [(2, (3,))]


def test_a_tie_goes_to_the_least_or_to_the_greatest() -> None:
    [one] = taken([pair(1, 0, 1, 3, 3, 1)]).seen
    assert (one.majority("least"), one.majority("greatest")) == (1, 3)


def test_each_measure_has_its_value_and_an_interval_around_it() -> None:
    found = taken(SEEN)
    rows = {name: (value, interval, pairs) for name, value, interval, pairs in found.rows()}
    people = [one.majority("least") for one in found.seen]
    plain = cohen([one.models for one in found.seen], people, [0, 1, 2, 3])

    assert len(rows) == 8
    value, interval, pairs = rows["Cohen, unweighted, ties to the least"]
    assert (value, pairs) == (f"{plain.value:.3f}", 24)
    low, high = map(float, interval.split(" to "))
    assert low <= float(value) <= high
    assert float(rows["Fleiss, people among themselves"][0]) < 1
    assert rows["Krippendorff, ordinal, people among themselves"][2] == 24
    assert list(found.rows()) == list(taken(SEEN).rows())


def test_where_all_say_the_same_there_is_a_reason_and_no_number() -> None:
    rows = list(taken([pair(n, 2, 2, 2) for n in range(3)]).rows())
    assert {(value, interval) for _, value, interval, _ in rows} == {
        ("everything got the same rating, so chance alone would agree always", "")
    }


@pytest.mark.parametrize(("pairs", "there"), [(SEEN, True), ([pair(1, 2)], False)])
def test_the_card_of_a_set_tells_it_where_people_have_graded(pairs: list[Pair], there: bool) -> None:
    report = RETRIEVAL.report(retrieval().setup.campaign)
    for n, one in enumerate(pairs):
        report.take(Seen(str(n), Seed(n, 0, ()), ItemState.KEPT, "", "", one, tuple))
    assert ("Models and people, qa" in [part.title for part in report.card().parts]) == there
