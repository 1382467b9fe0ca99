"""The released votes of EpiQAL, subsets A and B, counted again through our own rule.

The shares that the data's README names follow from the released tallies, which count votes by the text that the
checker typed back. Counted by option they differ: that is the fault which own option ids remove.
"""

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import pytest
from tests.conftest import shared_data

from benchwright.domain.ids import seeded_shuffle
from benchwright.domain.vote import Route, Rule, Tally, Vote, certain_route, route, tally
from benchwright.domain.waves import CALLS, FRUGAL, Waves, size
from benchwright.pipelines.choice.option import option_id

pytestmark = pytest.mark.untraced  # thousands of the same

VOTES = 9  # three checkers, three runs each
COUNTING = ("GLM-4.5-Air", "deepseek-reasoner", "gpt-5-mini")
RELEASED = Rule(accept=Fraction(6, VOTES), reject=Fraction(5, VOTES), quorum=VOTES)  # below 5 of 9 is rejected
PAPER = Rule(accept=Fraction("0.8"), reject=Fraction("0.7"), quorum=VOTES)
ROUTES = {"accept": Route.KEEP, "human": Route.HUMAN, "reject": Route.REJECT}

Row = dict[str, Any]


@pytest.fixture(name="options", scope="module")
def _options() -> list[Row]:
    """Every generated option; tallies kept under a text that equals no option are left out."""
    with gzip.open(shared_data("epiqal/votes.jsonl.gz"), "rt", encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if not row.get("stray_key")]


def shares(routes: Iterable[Route]) -> tuple[float, float, float]:
    """Keep, human and reject in per cent, to one decimal."""
    count = Counter(routes)
    keep, human, reject = (100 * count[one] / count.total() for one in (Route.KEEP, Route.HUMAN, Route.REJECT))
    return round(keep, 1), round(human, 1), round(reject, 1)


def replayed(options: Iterable[Row], subset: str, kind: str, rule: Rule) -> tuple[float, float, float]:
    return shares(route(Tally(row[kind], VOTES), rule) for row in options if row["subset"] == subset)


@pytest.mark.parametrize(
    ("subset", "rule", "expected"),
    [
        ("A", RELEASED, (86.2, 3.9, 9.9)),
        ("B", RELEASED, (96.8, 1.6, 1.7)),
        ("A", PAPER, (76.1, 5.3, 18.6)),
        ("B", PAPER, (89.5, 3.2, 7.3)),
    ],
)
def test_the_released_tallies_give_the_shares_that_the_readme_names(
    options: list[Row], subset: str, rule: Rule, expected: tuple[float, float, float]
) -> None:
    assert replayed(options, subset, "tally_repo", rule) == expected


@pytest.mark.parametrize(
    ("subset", "rule", "expected"),
    [
        ("A", RELEASED, (86.5, 3.8, 9.7)),
        ("B", RELEASED, (97.1, 1.4, 1.6)),
        ("A", PAPER, (76.5, 5.4, 18.2)),
        ("B", PAPER, (90.6, 3.0, 6.4)),
    ],
)
def test_counted_by_option_more_are_kept(
    options: list[Row], subset: str, rule: Rule, expected: tuple[float, float, float]
) -> None:
    assert replayed(options, subset, "tally_merged", rule) == expected


def test_every_released_route_follows_from_the_released_tally(options: list[Row]) -> None:
    assert all(route(Tally(row["tally_repo"], VOTES), RELEASED) is ROUTES[row["route_repo"]] for row in options)


def test_counting_by_typed_text_makes_96_wrong_tallies_and_14_wrong_routes(options: list[Row]) -> None:
    wrong = [row for row in options if row["tally_repo"] != row["tally_merged"]]
    misrouted = [
        row for row in wrong if route(Tally(row["tally_merged"], VOTES), RELEASED) != ROUTES[row["route_repo"]]
    ]

    assert (len(wrong), len(misrouted)) == (96, 14)
    assert all(row["tally_repo"] < row["tally_merged"] for row in wrong)  # a vote under another text is lost


def ballots(row: Row) -> list[Vote]:
    """The aligned verdicts of the checkers that count, under our own id of the option; null is not cast."""
    about = option_id(row["kind"], row["text"])
    return [
        Vote(about, f"{name}#{run}", None if said is None else bool(said))
        for name in COUNTING
        for run, said in enumerate(row["votes"][name], 1)
    ]


def test_single_verdicts_add_up_to_the_tallies_where_the_data_hold_them(options: list[Row]) -> None:
    single = [row for row in options if "tally_aligned" in row]
    counts = [tally(ballots(row)) for row in single]

    assert len(single) == 2285  # the verdicts on the distractors of B are not in the data
    assert [count.keep for count in counts] == [row["tally_aligned"] for row in single]
    assert sum(count.abstained for count in counts) == 4


def all_ballots(row: Row) -> list[Vote]:
    """The verdicts on any option; where the data hold the count alone, in an order that a shuffle makes up for."""
    if "tally_aligned" in row:
        return ballots(row)
    return [Vote("", f"checker#{n}", n < row["tally_merged"]) for n in range(VOTES)]


def votes_needed(votes: Sequence[Vote], rule: Rule, waves: Waves) -> int:
    """How many of the votes are asked for before the route is settled: that it is the route of all is checked."""
    before, end = 0, route(tally(votes), rule)
    while (early := certain_route(tally(votes[:before]), len(votes) - before, rule)) is None:
        before += size(waves, before, len(votes), [tally(votes[:before])], rule)
    assert early is end
    return before


def needed(rows: Sequence[Row], rule: Rule, waves: Waves) -> list[int]:
    """The votes that each option needs when they come in a seeded random order."""
    return [votes_needed(seeded_shuffle(all_ballots(row), row["item"], row["text"]), rule, waves) for row in rows]


def saved(counts: Sequence[int]) -> float:
    """The share of calls saved, in per cent, by so many votes for each option."""
    return 100 * (1 - sum(counts) / (VOTES * len(counts)))


@pytest.mark.parametrize(
    ("rule", "subset", "kind", "expected"),
    [
        (RELEASED, "A", "correct", 28.5),
        (RELEASED, "A", "distractor", 28.6),
        (RELEASED, "B", "correct", 30.2),
        (PAPER, "A", "correct", 15.2),
        (PAPER, "A", "distractor", 15.2),
        (PAPER, "B", "correct", 11.5),
    ],
)
def test_stopping_early_changes_no_route_and_saves_the_share_of_votes_that_the_readme_names(
    options: list[Row], rule: Rule, subset: str, kind: str, expected: float
) -> None:
    lenient = Rule(rule.accept, rule.reject)  # four verdicts are missing: that is no reason to ask people here
    chosen = [row for row in options if (row["subset"], row["kind"]) == (subset, kind)]

    assert saved(needed(chosen, lenient, FRUGAL)) == pytest.approx(expected, abs=0.5)


@pytest.mark.parametrize("quorum", [1, 5])
@pytest.mark.parametrize(("rule", "least", "most"), [(RELEASED, 28, 31), (PAPER, 11, 16)])
def test_over_all_options_of_a_and_b_no_route_changes_and_as_much_is_saved(
    options: list[Row], rule: Rule, least: int, most: int, quorum: int
) -> None:
    counts = needed(options, Rule(rule.accept, rule.reject, quorum), FRUGAL)
    kinds: dict[tuple[str, str], list[int]] = {}
    for row, count in zip(options, counts, strict=True):
        kinds.setdefault((row["subset"], row["kind"]), []).append(count)

    assert len(options) == 4285
    assert len(kinds) == 4
    assert all(least < saved(some) < most for some in (*kinds.values(), counts))


@pytest.mark.parametrize(("rule", "frugal", "runs"), [(RELEASED, 29.8, 27.6), (PAPER, 13.0, 3.1)])
def test_the_fewest_calls_are_those_of_one_vote_at_a_time_and_asking_all_at_once_saves_nothing(
    options: list[Row], rule: Rule, frugal: float, runs: float
) -> None:
    some = Rule(rule.accept, rule.reject)

    singly = saved(needed(options, some, FRUGAL))
    assert singly == saved(needed(options, some, VOTES)) == pytest.approx(frugal, abs=0.05)
    assert saved(needed(options, some, 3)) == pytest.approx(runs, abs=0.05)
    assert saved(needed(options, some, 1)) == 0


def calls_needed(sheet: Sequence[Sequence[Vote]], rule: Rule, waves: Waves) -> int:
    """How many calls a sheet of options takes, each about all that is open."""
    before = 0
    while still := [one for one in sheet if certain_route(tally(one[:before]), VOTES - before, rule) is None]:
        before += size(waves, before, VOTES, [tally(one[:before]) for one in still], rule)
    for one in sheet:
        assert certain_route(tally(one[:before]), VOTES - before, rule) is route(tally(one), rule)
    return before


def sheets(options: Sequence[Row], subset: str) -> list[list[list[Vote]]]:
    """The options of each item, which the panel is asked about together, run by run."""
    items: dict[str, list[list[Vote]]] = {}
    for row in options:
        if row["subset"] == subset:
            cast = all_ballots(row)
            known = "tally_aligned" in row
            ordered = [cast[3 * n + run] for run in range(3) for n in range(3)] if known else []
            items.setdefault(row["item"], []).append(ordered or list(seeded_shuffle(cast, row["item"], row["text"])))
    return list(items.values())


@pytest.mark.parametrize("subset", ["A", "B"])
@pytest.mark.parametrize(("rule", "calls", "runs"), [(RELEASED, (19, 25), (15, 20)), (PAPER, (7, 8), (0, 0.1))])
def test_a_call_is_saved_only_where_all_options_of_its_sheet_are_settled(
    options: list[Row], subset: str, rule: Rule, calls: tuple[float, float], runs: tuple[float, float]
) -> None:
    some, whole = Rule(rule.accept, rule.reject), sheets(options, subset)
    needed = {waves: [calls_needed(sheet, some, waves) for sheet in whole] for waves in (CALLS, FRUGAL, VOTES, 3)}

    assert needed[CALLS] == needed[FRUGAL] == needed[VOTES]  # no way to ask in this order takes fewer
    assert calls[0] <= saved(needed[CALLS]) <= calls[1]
    assert runs[0] <= round(saved(needed[3]), 1) <= runs[1]
