"""Each phase keeps the contract of pipelines: it ends, asks each thing once, and ends the same after any cut."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.contracts.pipeline import pipeline_contract
from tests.retrieval.made import (
    DOCUMENTS,
    PAIRS,
    PASSAGES,
    POOL,
    QUERIES,
    described_ones,
    documents,
    pools,
    progress,
    queries,
    retrieval,
    say,
    split_ones,
)

from benchwright.domain.answer import Answer
from benchwright.domain.ids import canonical
from benchwright.domain.item import Ending, Progress
from benchwright.domain.source import ItemRef, Outline, Passage
from benchwright.pipelines.base import Due
from benchwright.pipelines.retrieval.body import Described, Pair, Pool, Query
from benchwright.pipelines.retrieval.retrieval import Retrieval


def causes(ends: list[Ending]) -> set[str]:
    return {end.cause for end in ends}


def test_documents_are_split_once_each() -> None:
    made = retrieval()
    seeds = made.admit(documents(), progress(PASSAGES))

    assert [seed.about for seed in seeds] == [one.about for one in documents()]
    assert causes(pipeline_contract(made, seeds, say)) <= {"split", "no passage", "not split"}


@pytest.mark.parametrize("intents", [("qa",), ("qa", "qadoc")])
def test_documents_are_described(intents: tuple[str, ...]) -> None:
    made = retrieval(intents=intents, categories=())
    seeds = made.admit(split_ones(), progress(DOCUMENTS))
    ends = pipeline_contract(made, seeds, say)

    assert causes(ends) == {"described"}
    bodies = [end.body for end in ends]
    assert all(isinstance(body, Described) for body in bodies)
    assert any(body.event for body in bodies if body)
    assert any(body.summary for body in bodies if body) == ("qadoc" in intents)
    assert any(body.repeats and len(body.passages) == 1 for body in bodies if body)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("documents/Biological/Measles/a.md", ("Biological", "Measles (human)")),
        ("documents/Bio/a.md", ("Biological", "")),
        ("x/flash_flood.pdf", ("Meteorological & Hydrological", "Flash flood")),
        ("x/a.md", (None, "")),
    ],
)
def test_a_path_tells_what_a_document_is_about(name: str, told: tuple[str | None, str]) -> None:
    made = retrieval(categories=())
    state = made.begin(made.admit(split_ones(name), progress(DOCUMENTS))[0])
    category, event = made.part(state).told_by_path(state)

    assert (category.name if category else None, event) == told


@pytest.mark.parametrize("intent", ["qa", "qadoc", "twitter", "fc", "nli", "sts"])
@pytest.mark.parametrize(
    "settings", [{}, {"inconsistent": "people"}, {"review_queries": "all"}, {"inconsistent": "keep"}]
)
def test_queries_keep_the_contract_whatever_their_intent_and_who_looks_at_them(
    intent: str, settings: dict[str, Any]
) -> None:
    made = retrieval(intents=(intent,), **settings)
    seeds = made.admit(described_ones(), progress(QUERIES))
    ends = pipeline_contract(made, seeds, say, orders=2)

    assert all(isinstance(end.body, Query) for end in ends if end.cause.startswith("kept"))
    assert {isinstance(seed.about, ItemRef) for seed in seeds} == {intent == "qadoc"}


def test_queries_are_drawn_and_discarded_and_reworded_by_people() -> None:
    made = retrieval(review_queries="all", queries=9, opinions=2, inconsistent="keep")
    ends = pipeline_contract(made, made.admit(described_ones(), progress(QUERIES)), say, orders=1)

    assert {"kept by people", "discarded by people"} <= causes(ends)
    assert any(end.body.replaces and end.body.query == "What else?" for end in ends if end.body)


def test_a_cell_spreads_over_the_event_types_of_its_category_and_no_passage_is_taken_twice() -> None:
    made = retrieval(queries=10, tries=2)
    seeds = made.admit(described_ones(), progress(QUERIES))
    geo = [seed for seed in seeds if '"Geohazard"' in seed.body]

    assert len(geo) == 10
    assert Counter('"Ash / Tephra Fall"' in seed.body for seed in geo) == {True: 5, False: 5}
    assert len({seed.about for seed in seeds}) == len(seeds)


def test_a_document_without_a_summary_serves_no_query_for_documents() -> None:
    made = retrieval(intents=("qadoc",), queries=9)
    sources = described_ones()
    bare = [replace(one, body={**(one.body or {}), "summary": ""}) if n else one for n, one in enumerate(sources)]

    assert [seed.about for seed in made.admit(bare, progress(QUERIES))] == [sources[0].about]


def test_a_slot_whose_cell_has_no_further_passage_stays_empty() -> None:
    made = retrieval(queries=10)
    seeds = made.admit(described_ones(), progress(QUERIES))  # six passages are about measles

    assert Counter('"Biological"' in seed.body for seed in seeds) == {False: 10, True: 6}
    assert made.wanted_items(QUERIES, described_ones()) == 20


def test_a_discarded_query_begins_again_from_another_passage_until_no_try_is_left() -> None:
    made = retrieval(queries=2)
    first = made.admit(described_ones(), progress(QUERIES))
    again = made.admit(described_ones(), Progress(4, ((0, 0), (1, 1)), 9, QUERIES, documents()))

    assert [(seed.slot, seed.attempt) for seed in again] == [(0, 1)]
    assert isinstance(again[0].about, Passage)
    assert again[0].about not in {seed.about for seed in first}


@pytest.mark.parametrize("how", ["people", "discard", "keep"])
def test_pools_keep_the_contract_and_settle_queries_that_repeat_another(how: str) -> None:
    made = retrieval(repeated_queries=how)
    seeds = made.admit(queries() * 3, progress(POOL))
    ends = pipeline_contract(made, seeds, say)
    wanted = {"people": "discarded by people", "discard": "near-duplicate query", "keep": "found"}

    assert wanted[how] in causes(ends)
    assert all(isinstance(end.body, Pool) and end.body.candidates for end in ends if end.cause == "found")


def test_a_pool_joins_what_rankings_found_with_what_was_written_and_shows_no_order_of_theirs() -> None:
    made = retrieval(planted=0.0)
    body = pools(made)[0].body or {}
    names = [one["id"] for one in body["candidates"]]
    own = [one for one in body["candidates"] if one["own"]]

    assert names == sorted(set(names))
    assert {one["text"] for one in own} == {"Text of 0.", "Another text 0."}
    assert all(one["found"] for one in body["candidates"] if not one["own"])


def test_a_planted_text_is_the_relevant_text_of_a_query_about_something_else() -> None:
    made = retrieval(planted=1.0)
    found = [one for pool in pools(made) for one in (pool.body or {})["candidates"] if one["origin"] == "planted"]

    assert found
    assert all(one["text"].startswith("Text of") and not one["own"] for one in found)


def test_nothing_found_and_nothing_written_is_no_pool() -> None:
    made = retrieval(planted=0.0)
    [seed, *_] = made.admit(queries(), progress(POOL))
    state = made.begin(seed)
    for _ in range(2):
        [due] = owed_by(made, state)
        value = (
            {"repeats": {}}
            if due.agent.name == "find_repeats"
            else {"rankings": [], "stated": [], "views": [], "ranks": {}, "texts": 0}
        )
        state = made.fold(state, answer_of(due, value))
    end = made.plan(state)

    assert isinstance(end, Ending)
    assert end.cause == "no texts"


def owed_by(made: Retrieval, state: Any) -> Sequence[Due]:
    owed = made.plan(state)
    assert not isinstance(owed, Ending)
    return owed


def answer_of(due: Due, value: dict[str, Any]) -> Answer:
    return Answer(due.agent.name, due.about, "code", canonical(value))


@pytest.mark.parametrize("calls", ["one", "separate"])
@pytest.mark.parametrize("waves", ["strategies", "eager", "frugal", 2])
def test_pairs_keep_the_contract_whatever_the_waves_and_calls(calls: str, waves: str | int) -> None:
    made = retrieval(calls=calls, waves=waves, bound=1)
    seeds = made.admit(pools(made)[:2], progress(PAIRS))
    ends = pipeline_contract(made, seeds, say, orders=2, ends_of=9)

    assert causes(ends) == {"graded", "graded by people"}
    assert all(isinstance(end.body, Pair) for end in ends)
    assert any(end.body.incomplete for end in ends if end.body)
    assert all(end.body.grade is not None for end in ends if end.body and not end.body.planted)


def test_stopping_early_changes_no_grade() -> None:
    found = []
    for waves in ("eager", "strategies", "frugal"):
        made = retrieval(waves=waves, bound=3)
        seeds = made.admit(pools(made), progress(PAIRS))
        ends = pipeline_contract(made, seeds, say, orders=0, ends_of=99)
        found.append([end.body.grade if end.body else None for end in ends])

    assert found[0] == found[1] == found[2]


def test_pairs_are_about_passages_or_carry_the_text_that_a_model_wrote() -> None:
    made = retrieval()
    seeds = made.admit(pools(made), progress(PAIRS))

    assert {isinstance(seed.about, Passage) for seed in seeds} == {True, False}
    assert all(('"text":' in seed.body) == (seed.about == ()) for seed in seeds)


def test_pairs_go_on_from_where_they_have_begun() -> None:
    made = retrieval()
    sources = pools(made)
    whole = made.admit(sources, progress(PAIRS))
    rest = made.admit(sources, progress(PAIRS, begun=whole[4].slot))

    assert rest == whole[4:]
    assert made.wanted_items(PAIRS, sources) == len(whole)
    assert made.wanted_items(PAIRS, [Outline(ItemRef(""))] * 3) >= 3 * 12


def test_sts_is_graded_in_one_step_alone() -> None:
    made = retrieval(intents=("sts",), quorum=5)
    sources = pools(made, queries("sts"))
    seeds = made.admit(sources, progress(PAIRS))
    owed = owed_by(made, made.begin(seeds[0]))

    assert {due.agent.name for due in owed} == {"grade_directly"}
    assert owed[0].ask.most == 5
