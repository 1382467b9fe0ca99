"""What the outer rooms see of the kind: titles, stories, reports, cards, formats; and its settings and doubts."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
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

from benchwright.corpus import language
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign, Panel
from benchwright.domain.document import Document, Reading, Section, Sentence, Span, View
from benchwright.domain.ids import canonical
from benchwright.domain.item import Ending, ItemState, Seed
from benchwright.domain.opinion import Policy
from benchwright.domain.source import Content, ItemRef, Outline, Ref
from benchwright.errors import BenchwrightError
from benchwright.pipelines.base import HUMAN, Due, Pipeline, state_of
from benchwright.pipelines.kind import Kept, Line, Seen, Table
from benchwright.pipelines.retrieval.body import Candidate, Found, Given, Pair, Pool, Query, query_name
from benchwright.pipelines.retrieval.documents import spread_evenly
from benchwright.pipelines.retrieval.formats import FORMATS
from benchwright.pipelines.retrieval.kind import RETRIEVAL
from benchwright.pipelines.retrieval.retrieval import Retrieval
from benchwright.pipelines.retrieval.settings import RetrievalSettings, Setup
from benchwright.pipelines.retrieval.validation import validate
from benchwright.pipelines.texts import text_name

READ = Document("d", "r.md", "T", "x", (Section("", "body", (Span(0, 1),)),))
READING = Reading(
    View("d", (0,)), "T", tuple(Sentence(n, Span(n, n + 1), f"Sentence\t{n}  here.") for n in range(1, 13)), ""
)


def seen(seed: Seed, end: Ending, answers: Sequence[Answer] = ()) -> Seen:
    return Seen(seed.id, seed, end.state, end.cause, end.detail, end.body, lambda: answers)


def body_of(one: Seen) -> Any:
    assert one.body is not None
    return one.body


@dataclass
class Made:
    """All items of a campaign, phase by phase."""

    campaign: Campaign
    phases: dict[str, list[Seen]]

    @property
    def all(self) -> list[Seen]:
        return [one for phase in self.phases.values() for one in phase]

    def items(self, phase: str = "") -> Iterator[Kept]:
        found = self.phases[phase] if phase else self.all
        return (Kept(one, ()) for one in found if one.state is ItemState.KEPT)

    def content(self, ref: Ref) -> Content:
        return READING


def always(seed: Seed, due: Due) -> Answer:
    return say(seed, due, failing=0.0)


def play(made: Retrieval, phase: str, sources: list[Outline]) -> list[Seen]:
    seeds = made.admit(sources, progress(phase, sources))
    ends = pipeline_contract(made, seeds, always, orders=0, ends_of=99)
    return [seen(seed, end) for seed, end in zip(seeds, ends, strict=True)]


def outlines(found: list[Seen]) -> list[Outline]:
    return [
        Outline(ItemRef(one.id), body=RETRIEVAL.write(body_of(one))) for one in found if one.state is ItemState.KEPT
    ]


@pytest.fixture(name="whole", scope="module")
def _whole() -> Made:
    made = retrieval(review_queries="all", bound=1, queries=4, intents=("qa", "qadoc"), repeated_queries="keep")
    first, second = play(made, PASSAGES, documents()), [*play(made, DOCUMENTS, split_ones("Measles/{n}.md"))]
    written = play(made, QUERIES, described_ones())
    found = play(made, POOL, outlines(written))
    pairs = play(made, PAIRS, outlines(found))
    return Made(made.setup.campaign, {PASSAGES: first, DOCUMENTS: second, QUERIES: written, POOL: found, PAIRS: pairs})


def words(one: Seen) -> str:
    found = []
    for part in RETRIEVAL.story(one):
        found.append(part.title)
        for content in part.content:
            found.append(content.text if isinstance(content, Line) else str(content.head) + str(content.rows))
            assert isinstance(content, Line | Table)
    return "\n".join(found)


def test_every_item_has_a_title_that_its_story_tells_and_a_place(whole: Made) -> None:
    for number, one in enumerate(whole.all):
        if one.body is not None:
            assert RETRIEVAL.title(one.body)[:40] in words(one)
            assert RETRIEVAL.place(one.body, number)
            written = canonical(RETRIEVAL.write(one.body))
            assert canonical(RETRIEVAL.write(RETRIEVAL.read(json.loads(written)))) == written


def test_an_item_of_which_there_is_nothing_yet_says_so() -> None:
    for phase, told in ((PASSAGES, "not split"), (QUERIES, "no query"), (POOL, "nothing to show")):
        one = Seen("x", Seed(0, 0, (), "{}", phase), ItemState.OPEN, "", "", None, tuple)
        assert told in words(one)


def test_the_story_of_a_pair_tells_its_grades_and_what_people_said(whole: Made) -> None:
    told = [words(one) for one in whole.phases[PAIRS]]
    assert any("human:ada" in one for one in told)
    assert any("tests the graders" in one for one in told)
    assert all("mean" in one or "no grade" in one or "grade" in one for one in told)
    empty = Pair("x" * 32, "qa", "c", "q", "d1", "passage", own=False, incomplete=True)
    assert "no grade yet" in words(seen(Seed(0, 0, ()), Ending(ItemState.OPEN, "", "", empty)))


def test_the_story_of_a_query_tells_what_a_person_changed(whole: Made) -> None:
    bare: Any = replace(next(body_of(one) for one in whole.phases[QUERIES] if one.body), checked={})
    assert "Mean grades" not in words(seen(Seed(0, 0, ()), Ending(ItemState.KEPT, "", "", bare)))
    assert any("before a person changed it" in words(one) for one in whole.phases[QUERIES] if one.body)


def test_a_report_counts_queries_by_cell_and_pairs_by_grade(whole: Made) -> None:
    report = RETRIEVAL.report(whole.campaign)
    for one in whole.all:
        report.take(one)
    counts = report.counts()
    kept = [one for one in whole.phases[QUERIES] if one.state is ItemState.KEPT]
    pairs = [one.body for one in whole.phases[PAIRS]]

    assert report.summary() == counts
    assert counts["queries"] == sum(counts["queries_by_cell"].values()) == len(kept)
    assert counts["pairs"] == sum(not body.planted for body in pairs if body)
    assert counts["pairs_planted"] == sum(body.planted for body in pairs if body) > 0
    assert sum(sum(each.values()) for each in counts["grades"].values()) == counts["pairs"]
    assert counts["shortfalls"]
    assert any("of 4 queries" in line for line in report.lines())
    card = report.card()
    titles = [part.title for part in card.parts]
    assert "Overlap of rankings" in titles
    assert "What leaving one out would lose" in titles


def test_a_cell_without_any_query_is_told_too(whole: Made) -> None:
    empty = RETRIEVAL.report(retrieval().setup.campaign)
    assert empty.counts()["shortfalls"] == ["Biological/qa: 0 of 2", "Geohazard/qa: 0 of 2"]
    settings = {"intents_file": "mine.toml", "categories_file": "mine.toml", "queries": 3}
    own = RETRIEVAL.report(replace(whole.campaign, settings=settings))
    assert own.counts()["shortfalls"] == []
    one = whole.phases[QUERIES][0]
    own.take(replace(one, state=ItemState.DISCARDED, body=None))
    wishes = json.loads(one.seed.body)
    assert own.counts()["shortfalls"] == [f"{wishes['category']}/{wishes['intent']}: 0 of 3"]


def test_a_report_of_nothing_is_empty() -> None:
    report = RETRIEVAL.report(retrieval().setup.campaign)
    assert report.counts()["pairs"] == 0
    assert [part.title for part in report.card().parts][-1] == "Grades of found and of written texts"
    assert report.lines()


def test_what_is_not_graded_and_not_found_is_counted_as_such() -> None:
    report = RETRIEVAL.report(retrieval().setup.campaign)
    pair = Pair("x" * 32, "qa", "c", "q", "d1", "passage", own=False)
    pool = Pool("x" * 32, "qa", "c", "e", "q", "d9", (Candidate("d1", "relevant"),), (), ("bm25/exact",), {}, 3)
    late = replace(pool, ranks={"bm25/exact": {"d1": 2}})
    for body in (pair, pool, late):
        report.take(seen(Seed(0, 0, ()), Ending(ItemState.KEPT, "", "", body)))
    assert report.counts()["pairs"] == 1
    assert report.counts()["grades"] == {}


def test_a_document_about_nothing_known_is_told_in_the_report() -> None:
    made = retrieval()
    body = play(made, DOCUMENTS, split_ones())[0].body
    report = RETRIEVAL.report(made.setup.campaign)
    report.take(seen(Seed(0, 0, ()), Ending(ItemState.KEPT, "", "", replace(body, event="") if body else None)))
    assert any("no query is from them" in line for line in report.lines())


@pytest.mark.parametrize("form", FORMATS)
def test_each_form_is_sound_and_holds_the_same(whole: Made, tmp_path: Path, form: str) -> None:
    pools_of = {one.id for one in whole.phases[POOL]}
    ids = {text_name("Sentence 1 here.")}
    assert pools_of
    assert ids
    fitted = Made(whole.campaign, whole.phases | {PAIRS: fit(whole)})
    for name, lines in FORMATS[form].files(fitted).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(lines), "utf-8")
    found = validate(tmp_path)

    assert not [flaw for flaw in found.flaws if not flaw.file.startswith("runs/")]
    assert found.counts["queries"] == len([one for one in whole.phases[POOL] if one.state is ItemState.KEPT])
    assert found.counts["grades"] > 0


def fit(whole: Made) -> list[Seen]:
    """One pair of each query, about a text of the corpus: the rankings of these tests find invented ones."""
    known = next(text_name(kept.item.body.text) for kept in whole.items(QUERIES) if isinstance(kept.item.body, Query))
    found = {}
    for one in whole.phases[PAIRS]:
        if isinstance(one.body, Pair) and not one.body.planted:
            found[one.body.query_item] = replace(one, body=replace(one.body, doc=known))
    return [*found.values(), *(one for one in whole.phases[PAIRS] if one.body and one.body.planted)]


def test_a_grade_of_a_text_that_is_not_in_the_corpus_stops_the_export(whole: Made) -> None:
    with pytest.raises(BenchwrightError, match="is not in the corpus"):
        list(FORMATS["beir"].files(whole)["qrels/test.tsv"])


def test_scores_of_a_run_fall_from_line_to_line_also_where_texts_are_equal() -> None:
    found = [Candidate(f"d{n}", "passage", (Found("bm25", "exact", n + 1, 2.0),)) for n in range(3)]
    pool = Pool("a" * 32, "qa", "c", "e", "q", "d0", tuple(found), (), ("bm25/exact",), {}, 3)
    one = seen(Seed(0, 0, (), "{}", POOL), Ending(ItemState.KEPT, "found", "", pool))
    made = Made(retrieval().setup.campaign, {DOCUMENTS: [], QUERIES: [], POOL: [one], PAIRS: []})
    lines = [line.split() for line in FORMATS["trec"].files(made)["runs/bm25-exact.run"]]

    assert [line[4] for line in lines] == ["2.000000", "1.999999", "1.999998"]
    assert {line[0] for line in lines} == {query_name("a" * 32)}


def test_an_export_before_there_are_pools_has_no_runs() -> None:
    made = Made(retrieval().setup.campaign, {DOCUMENTS: [], QUERIES: [], POOL: [], PAIRS: []})
    assert not [name for name in FORMATS["trec"].files(made) if name.startswith("runs/")]


# -------------------------------------------------------------------------------------------------- panels and cards


def test_each_strategy_of_a_model_is_measured_by_itself(whole: Made) -> None:
    given = [word for one in whole.phases[PAIRS] for word in RETRIEVAL.words(body_of(one))]
    assert {word.by for word in given} == {
        "red (direct)#1", "green (direct)#1", "red (steps)#1", "green (steps)#1", "red (criteria)#1",
    }  # fmt: skip
    assert not list(RETRIEVAL.words(body_of(whole.phases[QUERIES][0])))
    assert RETRIEVAL.formats is FORMATS
    assert RETRIEVAL.routes(body_of(whole.phases[PAIRS][0])) == ()


@pytest.mark.parametrize("calls", ["one", "separate"])
def test_what_graders_say_of_planted_texts_tells_their_errors(calls: str) -> None:
    made = retrieval(calls=calls)
    seeds = [seed for seed in made.admit(pools(made), progress(PAIRS)) if '"planted"' in seed.body]
    state, answers = made.begin(seeds[0]), list[Answer]()
    while not isinstance(owed := made.plan(state), Ending):
        answers += [always(seeds[0], due) for due in owed]
        state = state_of(made, seeds[0], answers)
    probes = list(RETRIEVAL.probes(answers))

    assert {probe.model for probe in probes} <= {
        "red (direct)", "green (direct)", "red (steps)", "green (steps)", "red (criteria)",
    }  # fmt: skip
    assert probes
    assert not any(probe.right for probe in probes)
    assert made.card(state, "settle_grade", "pair") is None


def waiting(made: Pipeline, seeds: Sequence[Seed]) -> Iterator[tuple[Any, Due]]:
    """States of items that wait for people, each with what is owed."""
    for seed in seeds:
        answers: list[Answer] = []
        while not isinstance(owed := made.plan(state_of(made, seed, answers)), Ending):
            if owed[0].to == HUMAN:
                yield state_of(made, seed, answers), owed[0]
                break
            answers += [always(seed, due) for due in owed]


def test_a_query_has_a_card_to_keep_reword_or_discard_it() -> None:
    made = retrieval(review_queries="all")
    seeds = made.admit(described_ones(), progress(QUERIES))
    state, due = next(waiting(made, seeds))
    card = made.card(state, due.agent.name, due.about)

    assert card
    assert card.lead
    assert {value.value for value in card.lead.values} == {"keep", "edit", "discard", "cannot_say"}
    assert "same as before" in card.check({"decision": "edit", "text": " WHAT? "})
    assert "has no text yet" in card.check({"decision": "edit", "text": "What does this passage say?"})
    assert not card.check({"decision": "edit", "text": "What else?"})
    assert not card.check({"decision": "keep", "text": ""})
    assert made.card(made.begin(seeds[0]), due.agent.name, due.about) is None
    assert made.card(state, "settle_grade", "pair") is None


def test_a_query_that_repeats_another_has_a_card_without_rewording() -> None:
    made = retrieval()
    seeds = made.admit(queries() * 3, progress(POOL))
    state, due = next(waiting(made, seeds))
    card = made.card(state, due.agent.name, due.about)

    assert card
    assert card.lead
    assert {value.value for value in card.lead.values} == {"keep", "discard", "cannot_say"}
    assert made.card(made.begin(seeds[0]), due.agent.name, due.about) is None
    first = made.begin(made.admit(documents(), progress(PASSAGES))[0])
    assert made.card(first, due.agent.name, "") is None
    assert made.body(first) is None


def test_a_pair_has_a_card_that_hides_the_grades_of_models_and_shows_a_scale() -> None:
    made = retrieval(bound=0)
    state, due = next(waiting(made, made.admit(pools(made), progress(PAIRS))))
    card = made.card(state, due.agent.name, due.about)

    assert card
    assert [one.name for one in card.shown if one.hidden] == ["grades"]
    assert card.input("grade").most == 3
    assert "far apart" in card.why


def test_too_few_grades_are_told_as_the_reason() -> None:
    made = retrieval(strategies=("direct",), quorum=2)
    for seed in made.admit(pools(made), progress(PAIRS)):
        if '"planted"' in seed.body:
            continue
        owed = made.plan(made.begin(seed))
        assert not isinstance(owed, Ending)
        answers = [say(seed, due, failing=1.0) for due in owed]
        card = made.card(state_of(made, seed, answers), "settle_grade", "pair")
        assert card
        assert card.why == "too few models could grade it"
        break


# -------------------------------------------------------------------------------------------------------- settings


def test_the_writers_family_alone_and_a_lack_of_vectors_are_doubtful() -> None:
    alone = retrieval(strategies=("criteria",))
    bare = retrieval(embedders=())

    assert [doubt.partition(" ")[0] for doubt in alone.doubts()] == ["red"]
    assert ["no model embeds texts" in doubt for doubt in bare.doubts()] == [True]
    assert not retrieval().doubts()


def test_that_nobody_checks_the_language_of_queries_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    made = retrieval()
    strange = replace(
        made,
        setup=Setup(
            replace(made.setup.campaign, language="Klingon"),
            made.setup.settings,
            made.setup.intents,
            made.setup.categories,
        ),
    )
    assert "'Klingon' is not checked" in strange.doubts()[0]
    monkeypatch.setattr(language, "find_spec", lambda _: None)
    assert "pip install 'benchwright[lang]'" in made.doubts()[0]


def test_settings_that_find_no_text_or_name_no_embedder_are_faults() -> None:
    settings = RetrievalSettings(bm25=False, prompts={"glm": {"query": "q: "}})  # type: ignore[dict-item]
    found = Retrieval.find_faults(settings, {"embed_texts": Panel(())})

    assert [path for path, _ in found] == [("prompts", "glm"), ("bm25",)]
    assert not Retrieval.find_faults(RetrievalSettings(), {})


@pytest.mark.parametrize("calls", ["one", "separate"])
def test_an_estimate_expects_calls_of_each_role_that_will_be_asked(calls: str) -> None:
    made = retrieval(calls=calls, intents=("qa", "qadoc"))
    roles = {one.role for one in made.expect()}

    assert {"summarise_document", "write_query", "write_document_query", "settle_grade"} <= roles
    assert ("score_criterion" in roles, "grade_by_steps" in roles) == (calls == "separate", calls == "one")
    few = {one.role for one in retrieval(intents=("sts",)).expect()}
    assert not {"summarise_document", "write_document_query", "grade_by_steps"} & few
    assert "write_query" not in {one.role for one in retrieval(intents=("qadoc",)).expect()}


def test_the_language_of_a_campaign_is_written_in() -> None:
    made = retrieval()
    setup = replace(made.setup, campaign=replace(made.setup.campaign, language="French"))
    assert (made.setup.language, setup.language) == ("the language of the passage", "French")


def test_the_pieces_of_each_item_are_told() -> None:
    made = retrieval(intents=("qa", "qadoc"))
    document, query = dict(described_ones()[0].body or {}), dict(queries()[0].body or {})

    assert [one.origin for one in made.pieces(document)] == ["passage"] * 3 + ["summary"]
    assert [one.origin for one in made.pieces(document | {"summary": ""})] == ["passage"] * 3
    assert [one.origin for one in made.pieces(query)] == ["relevant", "hard_negative", "queries"]
    assert [one.origin for one in made.pieces(query | {"intent": "qadoc", "negatives": {}})] == ["queries"]
    assert len(list(made.pieces(split_ones()[0].body or {}))) == 2


def test_parts_of_a_long_document_are_spread_over_all_of_it() -> None:
    assert spread_evenly((10, 10, 10), 100) == (0, 1, 2)
    assert spread_evenly((100,) * 10, 300) == (0, 3, 6)
    assert spread_evenly((10, 900, 10, 900), 1000) == (0, 2)
    assert spread_evenly((900, 10, 900, 10), 1000) == (0,)
    assert spread_evenly((500,), 100) == (0,)


def test_a_pair_with_all_abstaining_has_no_mean() -> None:
    assert Given("red#1", "direct", None).reason == ""


def test_the_story_of_a_document_tells_its_passages_and_what_they_repeat(whole: Made) -> None:
    told = [words(one) for one in (*whole.phases[PASSAGES], *whole.phases[DOCUMENTS])]
    assert any("about tokens" in one for one in told)
    assert any("repeats item" in one for one in told)
    assert any("Measles (human)" in one for one in told)
    body = next(one.body for one in whole.phases[PASSAGES] if one.body)
    left = replace(body, left_out=2, title="")
    assert "2 sentences are in no passage" in words(seen(Seed(0, 0, ()), Ending(ItemState.KEPT, "", "", left)))
    unknown: Any = replace(body_of(whole.phases[DOCUMENTS][0]), event="", summary="", repeats=())
    assert "none of the event types" in words(seen(Seed(0, 0, ()), Ending(ItemState.KEPT, "", "", unknown)))


def test_the_story_of_a_pool_tells_who_found_what(whole: Made) -> None:
    told = [words(one) for one in whole.phases[POOL]]
    assert any("bm25/exact 1" in one for one in told)
    lost: Any = replace(body_of(whole.phases[POOL][0]), ranks={"bm25/exact": {"d1": 0}})
    assert "not found" in words(seen(Seed(0, 0, ()), Ending(ItemState.KEPT, "", "", lost)))
    nearly: Any = replace(body_of(whole.phases[POOL][0]), repeats="other")
    assert "it nearly repeats" in words(seen(Seed(0, 0, ()), Ending(ItemState.KEPT, "", "", nearly)))
    bare: Any = replace(body_of(whole.phases[POOL][0]), ranks={}, repeats="", said=())
    assert "Where its own" not in words(seen(Seed(0, 0, ()), Ending(ItemState.KEPT, "", "", bare)))


def test_each_phase_wants_what_the_one_before_has_made() -> None:
    made = retrieval()
    assert [made.wanted_items(phase, documents()) for phase in (PASSAGES, DOCUMENTS, POOL)] == [6, 6, 6]
    assert made.shows(READ).sections == (0,)
    assert set(made.sources()) == {"intents", "categories"}
    assert "bm25" in Retrieval.starter().settings


def test_a_query_that_no_need_makes_consistent_is_given_up() -> None:
    made = retrieval(intents=("qa",))
    [seed, *_] = made.admit(described_ones(), progress(QUERIES))
    answers: list[Answer] = []
    while not isinstance(owed := made.plan(state_of(made, seed, answers)), Ending):
        graded = canonical({"grade": 0, "reason": "so"})
        answers += [
            Answer(due.agent.name, due.about, due.by, graded)
            if due.agent.name == "grade_directly"
            else always(seed, due)
            for due in owed
        ]
    assert (owed.cause, len([one for one in answers if one.step == "write_query"])) == ("inconsistent", 3)


def test_a_query_that_no_need_brings_about_is_given_up_with_the_last_reason() -> None:
    made = retrieval(intents=("qa",))
    [seed, *_] = made.admit(described_ones(), progress(QUERIES))
    answers: list[Answer] = []
    while not isinstance(owed := made.plan(state_of(made, seed, answers)), Ending):
        answers += [say(seed, due, failing=float(due.agent.name == "write_query")) for due in owed]
    assert (owed.cause, owed.detail) == ("write_query: refused", "no")


def test_a_document_that_cannot_be_split_is_discarded_with_its_reason() -> None:
    made = retrieval()
    [seed, *_] = made.admit(documents(), progress(PASSAGES))
    owed = made.plan(made.begin(seed))
    assert not isinstance(owed, Ending)
    [due] = owed
    end = made.plan(state_of(made, seed, [say(seed, due, failing=1.0)]))
    assert isinstance(end, Ending)
    assert (end.cause, end.detail) == ("not split", "no")
    empty = {"name": "r", "title": "", "language": "", "passages": [], "tokens": [], "left_out": 3}
    end = made.plan(state_of(made, seed, [Answer("split_document", "", "code", canonical(empty))]))
    assert isinstance(end, Ending)
    assert end.cause == "no passage"


def test_no_query_is_seen_by_people_where_nobody_is_to_see_them() -> None:
    made = retrieval(review_queries="never", inconsistent="people")
    assert not list(waiting(made, made.admit(described_ones(), progress(QUERIES))))


def test_an_audit_shows_people_a_share_of_all() -> None:
    made = retrieval(inconsistent="keep", bound=10, quorum=1)
    audited = replace(made.setup, campaign=replace(made.setup.campaign, review=Policy(1, audit=Fraction(1))))
    made = replace(made, setup=audited)
    assert "was drawn" in str([due.ask for _, due in waiting(made, made.admit(described_ones(), progress(QUERIES)))])
    assert "was drawn" in str([due.ask for _, due in waiting(made, made.admit(pools(made), progress(PAIRS)))])


def test_a_category_with_one_event_type_needs_no_choice_of_it(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text('[[categories]]\nname = "Storms"\nevents = ["Gale"]\n')
    campaign = replace(
        retrieval().setup.campaign, settings={"categories_file": "one.toml", "categories": (), "intents": ("qa",)}
    )
    made = Retrieval.of(campaign, tmp_path)
    state = made.begin(made.admit(split_ones(), progress(DOCUMENTS))[0])
    assert made.part(state).event(state) == "Gale"
