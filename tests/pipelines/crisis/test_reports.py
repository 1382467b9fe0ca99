"""What judges and people come to, on judgements whose figures can be told by hand."""

import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from tests.contracts.export import InMemory
from tests.pipelines.crisis.making import crisis

from benchwright.domain.call import Image
from benchwright.domain.campaign import Model
from benchwright.domain.image import image_value
from benchwright.domain.item import ItemState, Seed
from benchwright.domain.source import RecordRef
from benchwright.pipelines.crisis.body import (
    Answered,
    Asked,
    Body,
    Check,
    Comparison,
    Facts,
    Judged,
    Mark,
    Preference,
    Question,
    QuestionSet,
    Reply,
    Said,
    Scene,
    read_as,
    read_body,
)
from benchwright.pipelines.crisis.judging import correlations, order_of, scores, self_preferences
from benchwright.pipelines.crisis.kind import CRISIS
from benchwright.pipelines.crisis.preferences import Outcome, agreement, attention, outcomes_of, tally
from benchwright.pipelines.crisis.report import CrisisReport
from benchwright.pipelines.crisis.tables import percent
from benchwright.pipelines.kind import Kept, Seen, Table

DIMENSIONS = ("resource_management", "feasibility", "individual_impact")
CRITERIA = ("sufficiency", "usefulness", "correctness")
GOLD = tuple(Reply("people", f"do {n}", "it helps") for n in range(3))
PHOTO = image_value(Image("ab" * 32, "image/png", 3))
FACTS = Facts("hill", "ada", "Smoke.", "on fire", "hill", "it burns", "water", "water", GOLD, PHOTO, "English")
ASKED = Asked("q1-week", "week", "A week later, what helps?", FACTS)
REPLIES = (GOLD[1], Reply("red", "act", "so"), Reply("blue", "run", "", ("action",)), Reply("grey", failure="refused"))
VOTES = (Said("red#1", "yes", "so"), Said("blue#1", "cannot_say", ""))
CHECK = Check("safe", "1/1", "human", VOTES, (Said("human:ada", "keep"),), "keep", ("grey#1",), "")
QUESTION = Question("1.week", "week", "A week later, what helps?", 1, "ok", "", "it quotes 'a'", (CHECK,), "keep")
FALLEN = replace(QUESTION, id="1.month", time="month", fault="it is no question", checks=(), fate="reject")
SCENE = Scene(
    "hill", "ada", "Smoke.", "", PHOTO, ("on fire",), ("hill",), "it burns", "water", GOLD, "water",
    replace(CHECK, criterion="class"), ("problem",), "human:ada", "red#1", (Said("human:eva", "keep", "sound"),),
    ("odd",),
)  # fmt: skip


def mark(source: str, by: str, score: int, *, endangers: bool = False) -> Mark:
    return Mark(source, by, dict.fromkeys(DIMENSIONS, score), dict.fromkeys(DIMENSIONS, "so"), endangers, "why")


def chosen(first: str, second: str, by: str, side: str) -> Comparison:
    return Comparison(first, second, by, dict.fromkeys(DIMENSIONS, side), dict.fromkeys(DIMENSIONS, "so"))


def preferred(first: str, second: str, by: str, side: str, **more: Any) -> Preference:
    return Preference(first, second, by, dict.fromkeys(CRITERIA, side), **more)


JUDGED = Judged(
    ASKED,
    REPLIES,
    (mark("people", "red#1", 5), mark("red", "red#1", 5), mark("red", "blue#1", 3), mark("blue", "blue#1", 1)),
    (chosen("people", "red", "red#1", "first"), chosen("red", "people", "red#1", "first")),
    (
        preferred("people", "red", "human:ada", "second", danger="first"),
        preferred("blue", "people", "human:bob", "tie"),
    ),
    ("people",),
)


def seen(body: Body | None, name: str = "item1", state: ItemState = ItemState.KEPT) -> Seen:
    return Seen(name, Seed(0, 0, RecordRef("r")), state, "kept", "", body, tuple)


def report(*bodies: Body, **settings: Any) -> CrisisReport:
    """A report of these items, as it is after a journey of their bodies through JSON."""
    found = CrisisReport(crisis(**settings).campaign)
    for number, body in enumerate(bodies):
        found.take(seen(read_body(json.loads(json.dumps(CRISIS.write(body)))), f"item{number}"))
    return found


BODIES = (
    SCENE,
    replace(SCENE, annotator="bob"),
    QuestionSet(FACTS, (QUESTION, FALLEN)),
    Answered(ASKED, REPLIES[1:]),
    JUDGED,
)


@pytest.mark.parametrize(("formula", "mean"), [("x/5", 0.8), ("(x-1)/4", 0.75)])
def test_grades_become_scores_by_the_named_formula(formula: str, mean: float) -> None:
    found = scores([one for one in JUDGED.marks if one.source == "red"], formula)
    assert found.n == 2
    assert found.means["overall"] == pytest.approx(mean)
    assert scores([], formula).means["overall"] is None


def test_a_judge_that_grades_its_own_answers_is_held_against_the_others() -> None:
    strange = replace(JUDGED, marks=(*JUDGED.marks, mark("people", "grey#1", 1), mark("red", "grey#1", 3)))
    (blue, red) = self_preferences([strange], "x/5", str.__eq__)
    assert (red.judge, red.n, red.own, red.others) == ("red", 1, 1.0, 0.6)
    assert red.gap == pytest.approx(0.4)
    assert blue.own == pytest.approx(0.2)
    assert (blue.others, blue.gap) == (None, None)


def test_a_judge_that_always_takes_the_first_is_told() -> None:
    found = order_of([JUDGED], "red")
    assert (found.first.n, found.second, found.tie) == (6, 0, 0)
    assert found.p == pytest.approx(2 / 64)
    assert (found.steady.n, found.steady.of) == (0, 3)
    even = replace(
        JUDGED, comparisons=(chosen("people", "red", "red#1", "first"), chosen("red", "people", "red#1", "second"))
    )
    assert order_of([even], "red").steady.n == 3
    assert order_of([even], "blue").first.of == 0


def test_judges_go_with_people_under_the_paper_s_coding_and_an_even_one() -> None:
    low = replace(JUDGED, marks=(mark("red", "blue#1", 1),), preferences=(preferred("people", "red", "a", "first"),))
    tied = replace(JUDGED, marks=(mark("red", "blue#1", 3),), preferences=(preferred("people", "red", "a", "tie"),))
    high = replace(JUDGED, marks=(mark("red", "blue#1", 5),), preferences=(preferred("red", "people", "a", "first"),))
    paper, even = correlations([low, tied, high], "x/5", lambda _: True)
    assert (paper.coding, paper.n) == ("1/0.5/-1", 3)
    assert paper.spearman == pytest.approx(1)
    assert paper.pearson == pytest.approx(0.960769, abs=1e-6)
    assert even.coding == "1/0/-1"
    assert even.pearson == pytest.approx(1)
    assert next(correlations([low], "x/5", lambda _: False)).n == 0


def test_people_s_words_are_of_the_model_wherever_it_stood() -> None:
    found = list(outcomes_of("item", JUDGED))
    assert {(one.model, one.word, one.shown_first) for one in found} == {("red", "win", False), ("blue", "tie", True)}
    assert len(found) == 6


def test_people_who_fall_for_nonsense_are_told_and_not_counted() -> None:
    nonsense = preferred("attention", "people", "human:eve", "first", attention=True)
    passed = preferred("attention", "people", "human:ada", "second", attention=True)
    found = attention([nonsense, passed, JUDGED.preferences[0]])
    assert (found["human:eve"].failed, found["human:eve"].counts) == (1, False)
    assert (found["human:ada"].passed, found["human:ada"].counts) == (1, True)
    more = replace(
        JUDGED, preferences=(*JUDGED.preferences, nonsense, preferred("people", "red", "human:eve", "first"))
    )
    counted = report(more)
    assert {one.person for one in counted.outcomes} == {"human:ada", "human:bob"}
    assert "human:eve: 0 attention checks passed, 1 failed; not counted" in text_of(counted)


def test_agreement_of_people_is_that_on_the_same_comparison() -> None:
    two = replace(JUDGED, preferences=(JUDGED.preferences[0], preferred("people", "red", "human:cyd", "second")))
    other = replace(
        two, preferences=tuple(replace(one, better=dict.fromkeys(CRITERIA, "first")) for one in two.preferences)
    )
    words = chain(outcomes_of("a", two), outcomes_of("b", other))
    assert agreement(words).value == pytest.approx(1)
    assert agreement([]).value is None


def text_of(found: CrisisReport) -> str:
    """All that the card says."""
    return "\n".join(str(one) for part in found.parts() for one in (part.title, *part.content))


def test_a_report_counts_every_phase_and_its_card_has_every_table() -> None:
    found = report(*BODIES)
    counts = found.counts()
    assert json.loads(json.dumps(counts)) == json.loads(json.dumps(found.summary()))
    assert counts["scenes"] == {"annotations": 2, "scenes": 1, "drafted": 2}
    assert counts["questions"] == {
        "sets": 1,
        "questions": 1,
        "time_phrases": {"ok": 1},
        "leaks": {"by_meaning": 0, "seen_by_people": 1},
    }
    assert counts["answers"]["grey"] == {"answers": 0, "too_long": 0, "failed": 1}
    assert counts["answers"]["blue"] == {"answers": 1, "too_long": 1, "failed": 0}
    assert counts["judgement"]["vetoes"]["people"]["n"] == 1
    assert "unpublished" in counts["people"]["published"]
    card = found.card()
    assert ("questions", 1) in card.counts
    text = text_of(found)
    for said in (
        "('on fire', 'hill', 'week', 1, '1.00 (1)', '0.80 (2)', '0.20 (1)')",
        "('water', 'week', 1,",
        "('not stated', 'not stated', 2)",
        "Not taken: BERTScore: no encoder",
        "r = 0.82",
        "nrefs:1|case:lc",
        "'100.0 % [20.7, 100.0]'",
    ):
        assert said in text, text


def test_each_measure_stands_beside_its_ceiling_under_its_head() -> None:
    other = replace(SCENE, annotator="bob", gold=tuple(replace(one, action=f"now {one.action}") for one in GOLD))
    found = report(SCENE, other, *BODIES[2:], bertscore="minilm", bleurt="nowhere")
    (part,) = (one for one in found.parts() if one.title == "Automatic measures")
    table, reasons = part.content[1], str(part.content[2:])
    assert isinstance(table, Table)
    assert {len(row) for row in table.rows} == {len(table.head)}
    (row,) = (row for row in table.rows if row[:4] == ("week", "action", "red", "chrF"))
    (measure,) = (
        one
        for one in found.measures
        if (one.time, one.part, one.source) == ("week", "action", "red") and one.score.name == "chrF"
    )
    assert row[5] == f"{measure.ceiling.value:.3f}"
    assert "Not taken: BLEURT: bleurt is not installed" in reasons


def test_a_report_in_sentences_says_how_models_did() -> None:
    lines = report(*BODIES).lines()
    assert lines[0] == "2 annotations of 1 scene; 1 question"
    assert lines[1] == ("leaks: 0 of 1 looked for by meaning, because no model serves embed_texts; people looked at 1")
    assert "grey: 0 answers, 0 too long, 1 failed" in lines
    assert "answers of people: judges give 1.00; 1 of 1 endanger life" in lines
    assert any(line.startswith("people on red, sufficiency: win 100.0 %") for line in lines)
    ungraded = report(replace(JUDGED, marks=(), comparisons=(), preferences=()))
    assert "answers of red: not graded; 0 of 1 endanger life" in ungraded.lines()
    assert "'none'" in text_of(ungraded)


def test_a_report_says_nothing_of_phases_that_have_not_begun() -> None:
    found = report(SCENE)
    assert set(found.counts()) == {"scenes", "questions"}
    assert found.lines() == ["1 annotation of 1 scene; 0 questions"]
    assert [part.title for part in found.parts()] == ["Licences of sources"]
    assert set(report(SCENE, replace(JUDGED, preferences=())).counts()) == {"scenes", "questions", "judgement"}


def test_a_place_on_the_page_that_decides_is_told() -> None:
    first = [Outcome(f"a{n}", "p", "m", "week", "c", "win", shown_first=True) for n in range(8)]
    second = [Outcome(f"b{n}", "p", "m", "week", "c", "lose", shown_first=False) for n in range(8)]
    found = tally([*first, *second])
    assert found.place.flag == (
        "the place on the page matters: shown first 8 won and 0 lost, shown second 0 won and 8 lost"
    )
    assert percent(tally([]).win) == "none"


def test_items_that_were_not_kept_are_not_counted() -> None:
    found = CrisisReport(crisis().campaign)
    found.take(seen(SCENE, state=ItemState.DISCARDED))
    found.take(seen(None))
    assert (found.scenes, next(iter(found.card().counts))) == ([], ("annotations", 0))


def test_two_entries_of_one_model_or_family_are_the_same_judge() -> None:
    models = {
        "red": Model("red", "direct", "x", family="a"),
        "blue": Model("blue", "direct", "y", family="a"),
        "grey": Model("grey", "direct", "y"),
    }
    found = CrisisReport(crisis(models=models).campaign)
    pairs = {(one, other): found.same_model(one, other) for one in models for other in models if one < other}
    assert pairs == {("blue", "red"): True, ("blue", "grey"): True, ("grey", "red"): False}


def test_places_of_which_nothing_is_told_are_none() -> None:
    bare = replace(FACTS, place="", resource_class="")
    text = text_of(report(SCENE, QuestionSet(bare, (QUESTION,))))
    assert "('on fire', 'none', 'week', 1)" in text
    assert "('none agreed', 'week', 1)" in text


def rows(form: str, bodies: Iterable[Body] = BODIES) -> dict[str, list[dict[str, Any]]]:
    """The files of the set."""

    class Found(InMemory):
        def items(self, phase: str = "") -> Any:
            return iter([Kept(seen(one, "item1234567890"), ()) for one in bodies])

    files = CRISIS.formats[form].files(Found(tuple, crisis().campaign))
    return {name: [json.loads(line) for line in lines] for name, lines in files.items()}


def test_every_row_of_a_table_has_the_columns_that_are_promised_in_their_types() -> None:
    found = rows("jsonl")
    assert {name: len(lines) for name, lines in found.items()} == {
        "questions.jsonl": 1,
        "scenes.jsonl": 2,
        "answers.jsonl": 3,
        "judgements.jsonl": 3,
    }
    for subset in CRISIS.formats["jsonl"].subsets:
        for row in found[subset.files["test"]]:
            assert set(row) == set(subset.columns)
            for name, kind in subset.columns.items():
                fits(row[name], kind)


def fits(value: Any, kind: Any) -> None:
    """Whether a value is of the type of its column."""
    if isinstance(kind, list):
        for one in value:
            fits(one, kind[0])
    elif isinstance(kind, dict):
        assert set(value) == set(kind)
        for name, inner in kind.items():
            fits(value[name], inner)
    else:
        types: dict[str, Any] = {"string": str, "bool": bool, "int64": int, "float64": (float, type(None))}
        assert isinstance(value, types[kind])


def test_an_answer_that_nobody_graded_has_no_score() -> None:
    (row, *_) = rows("jsonl", [replace(JUDGED, marks=(), preferences=())])["judgements.jsonl"]
    assert (row["overall"], row["people"], row["endangers_life"]) == (None, [], True)


def test_what_panels_said_and_where_things_went_is_told_to_the_house() -> None:
    words = [word for body in BODIES for word in CRISIS.words(body)]
    assert {type(word).__name__ for word in words} == {"Vote", "Grade", "Category"}
    assert len({(word.about, word.by) for word in CRISIS.words(JUDGED)}) == len(list(CRISIS.words(JUDGED)))
    (route,) = CRISIS.routes(BODIES[2])
    assert (route.route, str(route.ratio), route.lacks, route.decided) == ("human", "1", 1, "keep")
    bare = replace(SCENE, check=replace(CHECK, ratio="0/0", route=None, decisions=()))
    assert [(one.route, one.ratio, one.decided) for one in CRISIS.routes(bare)] == [("", None, "")]
    assert not list(CRISIS.routes(replace(SCENE, check=None)))
    assert not list(CRISIS.words(replace(SCENE, check=None)))
    assert CRISIS.probes(()) == ()


def test_every_body_tells_its_story_and_names_its_image() -> None:
    for body in BODIES:
        text = str(CRISIS.story(seen(body)))
        assert CRISIS.title(body) in text
        assert "ab" * 32 in text
        assert CRISIS.place(body, 3).startswith("item 3 of the set")
    bare = replace(SCENE, text="", image=None, check=None, experts=(), drafted=(), captioned_by="", remarks=())
    assert "filled in by human:ada" in str(CRISIS.story(seen(bare)))
    none = replace(bare, author="", check=replace(CHECK, criterion="class"), resource_class="", places=())
    assert "none that the panel agrees to" in str(CRISIS.story(seen(none)))
    plain = replace(FACTS, image=None, shown="", place="")
    assert "no place" in str(CRISIS.story(seen(QuestionSet(plain, (replace(QUESTION, leak="", fate=None),)))))
    quiet = replace(JUDGED, comparisons=(), preferences=(), vetoed=())
    assert "no answer endangers life" in str(CRISIS.story(seen(quiet)))
    assert CRISIS.story(seen(None))


def test_the_kind_reads_what_it_writes_and_begins_with_empty_counts() -> None:
    assert all(CRISIS.read(CRISIS.write(body)) == body for body in BODIES)
    assert CRISIS.report(crisis().campaign).counts()["scenes"]["annotations"] == 0


def test_a_body_of_another_sort_is_refused() -> None:
    with pytest.raises(ValueError, match="this is no Scene, it has what = 'answers'"):
        read_as(Scene, CRISIS.write(BODIES[3]))
    with pytest.raises(ValueError, match="what"):
        read_body({"what": "song"})
