"""The numbers of a report, and the report that tells them."""

import json

import pytest

from benchwright.pipelines.evaluation.measured import measure, pairs_to_compare
from benchwright.pipelines.evaluation.responses import Question, Response
from benchwright.pipelines.evaluation.rows import read_row
from benchwright.pipelines.evaluation.telling import SHOWN, tell
from benchwright.pipelines.kind import Line, Table
from benchwright.pipelines.measurement import Bars, Heat, Measurement, Section

ROWS = [
    read_row({"id": f"q{n}", "question": f"Q{n}?", "choices": ["x", "long y", "z"], "answer": "B" if n else ""})
    for n in range(4)
]
QUESTIONS = [
    Question(
        row.id, row.names, row.key, f"d{n // 2}", {"class": "odd" if n % 2 else "even"}, {"A": "near miss"}, row.text
    )
    for n, row in enumerate(ROWS)
]


def said(model: str, *answers: str | None, **changes: str) -> list[Response]:
    return [
        Response(
            f"q{n}", model, None if text is None else frozenset(text), failure="" if text is not None else "refused"
        )
        for n, text in enumerate(answers)
    ]


RESPONSES = [*said("good", "", "B", "B", "A"), *said("bad", "A", "A", None, "A"), *said("mute", None, None)]


def report(responses: list[Response] | None = None, *, paper: bool = False, notes: tuple[str, ...] = ()) -> Measurement:
    measured = measure(QUESTIONS, RESPONSES if responses is None else responses, paper=paper)
    return tell("made", measured, ROWS, paper=paper, notes=notes)


def section(found: Measurement, title: str) -> Section:
    return next(one for one in found.sections if one.title == title)


def test_models_stand_in_the_order_of_their_scores_with_failures_apart() -> None:
    good, bad, mute = measure(QUESTIONS, RESPONSES).takers
    assert [one.name for one in (good, bad, mute)] == ["good", "bad", "mute"]
    assert good.mean
    assert bad.mean
    assert (good.mean.exact, bad.mean.exact, bad.answered, bad.failed) == (0.75, 0, 3, 1)
    assert (mute.mean, mute.exact, mute.failures) == (None, None, {"refused": 2})


def test_two_empty_sets_count_as_the_paper_counts_them_where_that_is_asked() -> None:
    ours, paper = (measure(QUESTIONS, RESPONSES, paper=flag).takers[0].mean for flag in (False, True))
    assert ours
    assert paper
    assert (ours.f1 - paper.f1, ours.exact) == (0.25, paper.exact)


def test_who_cannot_tell_is_not_right_where_nothing_is() -> None:
    [taker] = measure(QUESTIONS, [Response("q0", "m", frozenset(), abstained=True)]).takers
    assert taker.mean
    assert (taker.mean.exact, taker.abstained) == (0, 1)


def test_answers_to_other_sets_are_left_out() -> None:
    assert measure(QUESTIONS, [Response("other", "m", frozenset("A"))]).takers == []


def test_models_are_compared_where_both_answered_and_groups_have_scores_of_their_own() -> None:
    found = measure(QUESTIONS, RESPONSES)
    [pair] = found.comparisons
    assert (pair.first, pair.second, pair.both, pair.better, pair.worse) == ("good", "bad", 3, 2, 0)
    assert found.groups == {"class": {"even": {"good": 1.0, "bad": 0.0}, "odd": {"good": 0.5, "bad": 0.0}}}
    assert found.alike == {("good", "bad"): pytest.approx(1 / 3)}
    assert found.traps == {"near miss": (4, 7)}


def test_runs_of_a_model_count_once_in_a_comparison() -> None:
    again = [Response("q1", "good", frozenset("A"), run=2)]
    [pair] = measure(QUESTIONS, [*RESPONSES, *again]).comparisons
    assert pair.both == 3
    assert pair.difference
    assert pair.difference.value == pytest.approx((1 + 0.5 + 0) / 3)


def test_of_few_models_all_pairs_are_compared_and_of_many_neighbours_and_the_best() -> None:
    assert len(list(pairs_to_compare("abc"))) == 3
    assert len(list(pairs_to_compare("abcdefghij"))) == 9 + 8


# ------------------------------------------------------------------------------------------------ the report


def test_a_report_has_scores_rules_pairs_groups_traps_and_questions() -> None:
    found = report(notes=("line 3 is broken",))
    assert [one.title for one in found.sections] == [
        "Scores", "Rules that read nothing", "Models compared", "Agreement of models", "By class",
        "Which wrong choices are taken", "How hard the questions are", "Questions to look at",
    ]  # fmt: skip
    _, bars, table = section(found, "Scores").content
    assert isinstance(bars, Bars)
    assert isinstance(table, Table)
    assert [bar.label for bar in bars.bars[:4]] == ["good", "bad", "mute", "rule: the longest option"]
    assert table.rows[1][0] == "bad"
    assert table.rows[1][-1] == "1 (refused 1)"
    assert table.rows[2][1:7] == ("-",) * 6
    assert found.notes == ("line 3 is broken",)


def test_a_report_says_that_it_counts_as_the_paper_does() -> None:
    lines = [one.text for one in report(paper=True).sections[0].content if isinstance(one, Line)]
    assert "released code of EpiQAL" in lines[1]
    assert len([one for one in report().sections[0].content if isinstance(one, Line)]) == 1


def test_all_numbers_are_in_the_json_which_is_json() -> None:
    found = json.loads(json.dumps(report(notes=("x",)).json))
    assert found["models"][0]["mean"]["exact"] == 0.75
    assert found["wrong_choices"] == {"near miss": {"taken": 4, "offered": 7}}
    assert found["items"][0]["flag"] == ""
    assert found["notes"] == ["x"]


def test_a_table_for_programs_has_a_row_for_each_model() -> None:
    head, good, _, mute = report().rows
    assert dict(zip(head, good, strict=True))["exact"] == 0.75
    assert list(mute[1:4]) == [0, 0, 2]
    assert set(mute[4:]) == {""}


def test_one_model_alone_has_nothing_to_be_compared_with() -> None:
    titles = {one.title for one in report(said("only", "", "B")).sections}
    assert titles.isdisjoint({"Models compared", "Agreement of models"})


def test_where_nobody_answered_nothing_is_said_of_questions() -> None:
    titles = [one.title for one in report(said("mute", None)).sections]
    assert titles == ["Scores", "Rules that read nothing"]


def test_where_no_question_is_doubtful_none_is_listed() -> None:
    titles = [one.title for one in report([*said("a", "", "B", "B"), *said("b", "A", "A", "A")]).sections]
    assert "How hard the questions are" in titles
    assert "Questions to look at" not in titles


def test_traps_that_nobody_takes_have_bars_of_0() -> None:
    [bars] = section(report(said("good", "", "B")), "Which wrong choices are taken").content
    assert isinstance(bars, Bars)
    assert (bars.bars[0].value, bars.most) == (0, 1)


def test_many_groups_are_a_table_and_many_flagged_questions_are_cut_with_a_word() -> None:
    number = SHOWN + 5
    questions = [Question(f"q{n}", ("A", "B"), frozenset("A"), str(n), {"topic": f"t{n:02}"}) for n in range(number)]
    answers = [Response(one.id, model, frozenset("B")) for one in questions for model in ("a", "b")]
    found = tell("made", measure(questions, answers), [], paper=False, notes=())

    assert isinstance(section(found, "By topic").content[0], Table)
    table, more = section(found, "Questions to look at").content
    assert isinstance(table, Table)
    assert isinstance(more, Line)
    assert len(table.rows) == SHOWN
    assert table.rows[0][1:6] == ("is the key wrong?", "0.000", "-", "A", "B")
    assert more.text == "5 more are in the JSON."


def test_models_that_never_differ_have_no_p_in_the_table() -> None:
    found = report([*said("a", "", "B"), *said("b", "", "B")])
    [table] = section(found, "Models compared").content
    assert isinstance(table, Table)
    assert table.rows[0][5] == "-"
    heat = section(found, "Agreement of models").content[1]
    assert isinstance(heat, Heat)
    assert heat.rows == (("a", (1.0, 1.0)), ("b", (1.0, 1.0)))
