"""The pipeline: which question goes to whom, what is shown, and how items end."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.pipeline import pipeline_contract

from benchwright.agents.base import request
from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.campaign import Campaign, Model, Panel, Quota
from benchwright.domain.document import Document
from benchwright.domain.ids import canonical
from benchwright.domain.item import Ending, ItemState, Progress, Seed
from benchwright.domain.source import Content, Outline, RecordRef, Ref
from benchwright.domain.vote import Rule
from benchwright.errors import Unreadable
from benchwright.pipelines.base import Due
from benchwright.pipelines.evaluation.body import Taken, from_json, task_of
from benchwright.pipelines.evaluation.evaluation import Evaluation
from benchwright.pipelines.evaluation.kind import EVALUATION
from benchwright.pipelines.evaluation.settings import EvaluationSettings
from benchwright.pipelines.kind import Kept, Line, Part, Seen, Table

MODELS = {name: Model(name, "direct", name, "http://127.0.0.1:9/v1") for name in ("one", "two")}
SECRET = "the-key-of-the-set"


def made(runs: int = 1, target: int | None = None, **settings: Any) -> Evaluation:
    table = EvaluationSettings(**settings).model_dump(mode="json")
    panel = {"take_question": Panel(tuple(MODELS), runs)}
    rule = Rule(Fraction(1), Fraction(0))
    campaign = Campaign("e", "evaluation", ("items.jsonl",), MODELS, panel, rule, Quota(target=target), table)
    return Evaluation.of(campaign, Path())


def row(n: int, **changes: Any) -> Outline:
    fields: dict[str, Any] = {"id": f"q{n}", "context": f"Document {n // 2}", "question": f"Question {n}?"}
    fields |= {"choices": ["north", "south", "west"], "answer": "AB"[n % 2], "note": SECRET}
    return Outline(RecordRef(f"r{n}"), body=fields | changes)


ROWS = [row(n) for n in range(6)]


def seeds(pipeline: Evaluation, rows: list[Outline] | None = None, room: int = 999) -> list[Seed]:
    return list(pipeline.admit(ROWS if rows is None else rows, Progress(0, (), room)))


def due(pipeline: Evaluation, seed: Seed) -> Due:
    [owed] = pipeline.plan(pipeline.begin(seed))  # type: ignore[misc] # a question
    assert isinstance(owed, Due)
    return owed


def asked(pipeline: Evaluation, seed: Seed, source: Any = None) -> str:
    one = due(pipeline, seed)
    call = request(one.agent, one.ask, source, MODELS[one.to], one.run, 1)
    return "\n".join(message.content for message in call.messages)


def say(seed: Seed, one: Due) -> Answer:
    if one.to == "two":
        return failure_answer(one.agent.name, one.about, one.by, "no_json", "the reply holds no JSON")
    said = {"choices": ["A"], "cannot_tell": False, "reasoning": "so"}
    return Answer(one.agent.name, one.about, one.by, canonical(said), "c")


def bodies(pipeline: Evaluation) -> list[Taken]:
    found = [end.body for end in ends(pipeline)]
    return [body for body in found if isinstance(body, Taken)]


def ends(pipeline: Evaluation) -> Iterator[Ending]:
    for seed in seeds(pipeline):
        state = pipeline.begin(seed)
        end = pipeline.plan(pipeline.fold(state, say(seed, due(pipeline, seed))))
        assert isinstance(end, Ending)
        yield end


# ------------------------------------------------------------------------------------------------ which items


def test_every_question_goes_to_every_model_under_every_condition_in_every_run() -> None:
    pipeline = made(runs=2, conditions=("full", "closed_book"))
    tasks = [task_of(seed.body) for seed in seeds(pipeline)]

    assert pipeline.wanted_items("", ROWS) == len(tasks) == 6 * 2 * 2 * 2
    assert len({(one.question, one.condition, one.model, one.run) for one in tasks}) == len(tasks)
    assert [one.question for one in tasks[:8]] == ["q0"] * 8  # early results compare all models


def test_items_begin_as_far_as_there_is_room_and_go_on_where_they_stopped() -> None:
    pipeline = made()
    first = pipeline.admit(ROWS, Progress(0, (), 5))
    rest = pipeline.admit(ROWS, Progress(5, (), 999))
    assert [seed.slot for seed in (*first, *rest)] == list(range(12))


def test_a_target_is_so_many_questions_drawn_by_the_seed() -> None:
    pipeline = made(target=2)
    names = {task_of(seed.body).question for seed in seeds(pipeline)}
    assert (len(names), pipeline.wanted_items("", ROWS)) == (2, 4)
    assert made(target=99).wanted_items("", ROWS) == 12


def test_its_lines_of_a_first_file_name_it() -> None:
    assert 'pipeline = "evaluation"' in Evaluation.starter().pipeline


def test_documents_are_not_evaluated() -> None:
    with pytest.raises(Unreadable, match="a set is evaluated"):
        made().shows(Document("d", "d.md", "", "", ()))


def test_a_condition_that_stands_twice_is_a_fault() -> None:
    twice = EvaluationSettings.model_validate({"conditions": ["full", "full"]})
    assert Evaluation.find_faults(twice, {}) == [
        (("conditions",), "names a condition twice: to ask several times, raise runs")
    ]
    assert Evaluation.find_faults(EvaluationSettings(), {}) == []


# ------------------------------------------------------------------------------------------------ what is shown


def test_a_closed_book_is_about_nothing_so_nothing_can_be_shown() -> None:
    book, only = seeds(made(conditions=("closed_book", "choices_only")))[::2][:2]
    assert (book.about, only.about) == ((), ())
    shown, hidden = (asked(made(conditions=("closed_book", "choices_only")), seed) for seed in (book, only))
    assert "Question 0?" in shown
    assert "Answer from what you know" in shown
    assert "Question 0?" not in hidden
    assert "north" in hidden


@pytest.mark.parametrize("settings", [{}, {"reasoning": True}, {"general_knowledge": True}])
def test_key_and_other_fields_of_a_row_are_in_no_request(settings: dict[str, Any]) -> None:
    pipeline = made(**settings)
    for seed, one in zip(seeds(pipeline)[::2], ROWS, strict=True):
        text = asked(pipeline, seed, one.body)
        assert str((one.body or {})["context"]) in text
        assert SECRET not in text
        assert '"answer"' not in text


def test_whether_general_knowledge_counts_is_said() -> None:
    assert "General knowledge does not count" in asked(made(), seeds(made())[0])
    assert "both count" in asked(made(general_knowledge=True), seeds(made())[0])


def test_solved_questions_are_of_other_documents_and_drawn_by_the_seed() -> None:
    pipeline = made(shots=2)
    for seed in seeds(pipeline):
        task = task_of(seed.body)
        own = int(task.question[1:]) // 2
        assert [int(text.split()[1].rstrip("?")) // 2 != own for text, _, _ in task.shots] == [True, True]
    assert "Solved question:" in asked(pipeline, seeds(pipeline)[0])
    assert seeds(pipeline) == seeds(made(shots=2))


def test_rows_that_are_no_questions_are_no_solved_questions_and_of_one_document_there_are_none() -> None:
    few = seeds(made(shots=3), [row(0), row(2, choices="x"), row(4)])
    assert len(task_of(few[0].body).shots) == 1
    assert task_of(seeds(made(shots=1), [row(0), row(1)])[0].body).shots == ()


def test_the_order_of_choices_is_that_of_the_set_or_drawn_for_each_run_and_stored() -> None:
    assert [name for name, _ in task_of(seeds(made())[0].body).choices] == ["A", "B", "C"]
    orders = {task_of(seed.body).choices for seed in seeds(made(runs=5, order="seed"))}
    assert len(orders) > 1
    alike = [task_of(seed.body).choices for seed in seeds(made(order="seed"))]
    assert alike[0] == alike[1]  # both models see the same


# ------------------------------------------------------------------------------------------------ how items end


def test_an_answer_is_kept_and_a_failure_is_a_finding_about_its_model() -> None:
    right, failed, wrong, *_ = bodies(made())
    assert [end.cause for end in ends(made())][:3] == ["answered", "failed", "answered"]
    assert [one.state for one in (right, failed, wrong)] == ["right", "failed", "wrong"]
    assert (failed.failure, failed.detail) == ("no_json", "the reply holds no JSON")
    assert failed.response().chosen is None


def test_a_row_that_is_no_question_ends_its_items_with_the_reason_and_stops_nothing() -> None:
    pipeline = made()
    first, *_ = seeds(pipeline, [row(0, answer="Z"), row(1)])
    end = pipeline.plan(pipeline.begin(first))
    assert isinstance(end, Ending)
    assert (end.state, end.cause) == (ItemState.DISCARDED, "no question")
    assert "answer should be letters of its choices, ABC" in end.detail
    assert pipeline.body(pipeline.begin(first)) is None


def test_the_pipeline_keeps_the_contract_of_pipelines() -> None:
    rich: dict[str, Any] = {"conditions": ("full", "choices_only"), "reasoning": True, "shots": 1, "order": "seed"}
    for settings in ({}, rich):
        pipeline = made(runs=2, **settings)
        found = pipeline_contract(pipeline, seeds(pipeline)[:8], say)
        assert all(end.state is ItemState.KEPT for end in found)


def test_an_item_that_nobody_answered_yet_has_its_question_to_show() -> None:
    pipeline = made()
    body = pipeline.body(pipeline.begin(seeds(pipeline)[0]))
    assert body
    assert (body.failure, EVALUATION.title(body)) == ("open", "one #1: Question 0?")
    assert pipeline.card(None, "", "") is None
    assert pipeline.sources() == {}


def test_an_estimate_counts_one_call_for_an_item() -> None:
    [plain] = made().expect()
    [thought] = made(reasoning=True, shots=2, conditions=("closed_book",)).expect()
    assert (plain.calls, plain.shown, thought.shown) == ((1, 1), None, 0)
    assert thought.ask > plain.ask
    assert thought.reply > plain.reply


# ------------------------------------------------------------------------------------------------ the kind


def seen(body: Taken | None, state: ItemState = ItemState.KEPT) -> Seen:
    return Seen("i", Seed(0, 0, ()), state, "", "", body, tuple)


def told(part: Part) -> str:
    return "\n".join(one.text if isinstance(one, Line) else str(one.rows) for one in part.content)


def test_a_story_shows_the_question_the_key_and_the_answer() -> None:
    right, failed, *_ = bodies(made())
    _, choices, became = EVALUATION.story(seen(right))
    assert isinstance(choices.content[0], Table)
    assert choices.content[0].rows[0] == ("A", "north", "right", "chosen")
    assert told(became) == "right\nso"
    assert told(EVALUATION.story(seen(failed))[2]) == "failed: no_json\nthe reply holds no JSON"
    assert told(EVALUATION.story(seen(None))[0]) == "the row of the set is no question"


def test_a_body_comes_back_from_its_json() -> None:
    for body in bodies(made(shots=1)):
        assert body == EVALUATION.read(json.loads(json.dumps(EVALUATION.write(body))))
    with pytest.raises(ValueError, match="task"):
        from_json({})


def test_nothing_is_voted_on() -> None:
    body, *_ = bodies(made())
    assert (list(EVALUATION.words(body)), list(EVALUATION.probes(())), list(EVALUATION.routes(body))) == ([], [], [])
    assert EVALUATION.place(body, 3) == "answers.jsonl, line 3"


def test_a_report_has_a_line_for_each_model_and_failures_apart() -> None:
    counts = EVALUATION.report(made().campaign)
    for body in bodies(made()):
        counts.take(seen(body))
    shy = from_json(EVALUATION.write(bodies(made())[0]) | {"abstained": True, "chosen": []})
    counts.take(seen(shy))
    counts.take(seen(None))
    counts.take(seen(shy, ItemState.OPEN))

    assert counts.lines() == [
        "one: 7 answers, Exact Match 0.429, F1 0.429, 1 abstention",
        "two: 0 answers, 6 failed (no_json 6)",
    ]
    assert counts.summary() == counts.counts()
    assert counts.counts()["models"]["two"] == {
        "right": 0, "wrong": 0, "abstained": 0, "failed": 6, "exact_match": None, "f1": None,
        "failures": {"no_json": 6},
    }  # fmt: skip
    card = counts.card()
    [table] = card.parts[0].content
    assert isinstance(table, Table)
    assert [row[:2] for row in table.rows] == [("one", "0.429"), ("two", "")]


def test_conditions_name_their_models() -> None:
    names = {task_of(seed.body).condition for seed in seeds(made(conditions=("full", "closed_book")))}
    assert names == {"full", "closed_book"}
    assert bodies(made(conditions=("full", "closed_book")))[0].response().taker == "one (full)"
    assert shy_state() == "abstained"


def shy_state() -> str:
    return from_json(EVALUATION.write(bodies(made())[0]) | {"abstained": True, "chosen": []}).state


def test_an_export_has_a_row_for_each_answer_in_the_form_that_is_read_again() -> None:
    class Finished:
        campaign = made().campaign

        def items(self, phase: str = "") -> Iterator[Kept]:
            return (Kept(seen(body), ()) for body in bodies(made(order="seed", reasoning=True)))

        def content(self, ref: Ref) -> Content:
            raise AssertionError

    rows = [json.loads(line) for line in EVALUATION.formats["jsonl"].files(Finished())["answers.jsonl"]]
    assert len(rows) == 12
    assert rows[1] == {
        "id": "q0", "model": "two", "run": 1, "condition": "", "answer": "", "abstained": False, "failed": "no_json",
        "shown": rows[1]["shown"], "reasoning": "",
    }  # fmt: skip
    assert sorted(rows[1]["shown"]) == ["A", "B", "C"]
    assert {name for row in rows for name in row} == set(EVALUATION.formats["jsonl"].subsets[0].columns)
    assert {one.name for one in made().agents} == {"take_question"}
