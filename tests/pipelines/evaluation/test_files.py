"""Sets and answers as files, whoever has written them; and the file of an evaluation."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.evaluation.made import write_set

from benchwright.config import parse
from benchwright.errors import UsageError
from benchwright.pipelines import find_set_file, measure_answers, measure_items, write_evaluation
from benchwright.pipelines.evaluation.answer_files import read_answers
from benchwright.pipelines.evaluation.body import Taken, Task
from benchwright.pipelines.evaluation.responses import Question, Response
from benchwright.pipelines.evaluation.rows import read_row
from benchwright.pipelines.evaluation.set_files import read_set
from benchwright.pipelines.evaluation.starting import name_models

WISH: dict[str, Any] = {"runs": 2, "conditions": ("full",), "reasoning": False, "shots": 0, "target": None}
ROW = {"id": "a", "question": "Who?", "choices": ["x", "y"], "answer": "B"}
QUESTIONS = [Question("a", ("A", "B"), frozenset("B")), Question("b", ("A", "B"), frozenset())]


def write_lines(file: Path, *rows: object) -> Path:
    file.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), "utf-8")
    return file


# ------------------------------------------------------------------------------------------------ sets


def test_a_set_is_read_with_what_is_known_of_how_its_questions_came_about(tmp_path: Path) -> None:
    found = read_set(write_set(tmp_path / "set"))
    first = found.questions[0]

    assert (found.name, found.pipeline, found.knowledge, len(found.rows), found.flaws) == (
        "made",
        "inference",
        True,
        12,
        (),
    )
    assert (first.key, first.cluster) == (frozenset("A"), "d0")
    assert first.groups == {"class": "class 0", "topic": "t", "right choices": "1"}
    assert first.traps == {"B": "trap B", "C": "trap C", "D": "trap D"}


def test_a_difficulty_is_a_group() -> None:
    assert read_row(ROW).question({"difficulty": {"level": "hard"}}).groups["difficulty"] == "hard"
    assert "difficulty" not in read_row(ROW).question({"difficulty": None}).groups


def test_a_file_of_rows_alone_is_a_set_too_and_questions_with_one_context_share_a_cluster(tmp_path: Path) -> None:
    rows = (ROW | {"context": "C"}, ROW | {"id": "b", "context": "C"}, ROW | {"id": "c"})
    found = read_set(write_lines(tmp_path / "mine.jsonl", *rows))
    assert [one.cluster for one in found.questions] == ["C", "C", "c"]
    assert (found.name, found.pipeline, found.knowledge) == (tmp_path.name, "", False)


@pytest.mark.parametrize(
    ("row", "flaw"),
    [
        ({"id": 1}, "lacks an id or a question"),
        (ROW | {"question": " "}, "lacks an id or a question"),
        (ROW | {"choices": []}, "choices should be a list of 1 to 26 texts"),
        (ROW | {"choices": ["x", 2]}, "choices should be a list of 1 to 26 texts"),
        (ROW | {"answer": "C"}, "answer should be letters of its choices, AB"),
        (ROW | {"answer": None}, "answer should be letters of its choices, AB"),
        ("{", "is not JSON"),
        (ROW, "the question 'a' is there already"),
    ],
)
def test_a_line_that_is_no_question_is_left_out_and_named(tmp_path: Path, row: object, flaw: str) -> None:
    found = read_set(write_lines(tmp_path / "set.jsonl", ROW, row))
    assert len(found.rows) == 1
    assert len(found.flaws) == 1
    assert found.flaws[0].startswith("set.jsonl:2: ")
    assert flaw in found.flaws[0]


def test_a_key_may_be_a_list_of_letters_or_empty() -> None:
    assert read_row(ROW | {"answer": ["A", "B"]}).key == frozenset("AB")
    assert read_row(ROW | {"answer": ""}).key == frozenset()


@pytest.mark.parametrize("name", ["nothing", "set.csv"])
def test_what_is_no_set_is_said_to_be_none(tmp_path: Path, name: str) -> None:
    (tmp_path / "set.csv").write_text("id\n")
    with pytest.raises(UsageError, match="name an exported set of questions"):
        read_set(tmp_path / name)


def test_a_set_without_any_question_is_refused_with_its_flaws(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no line is a question\nset.jsonl:1: lacks an id"):
        read_set(write_lines(tmp_path / "set.jsonl", {"x": 1}))
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(UsageError, match="is empty"):
        read_set(tmp_path / "empty.jsonl")


# ------------------------------------------------------------------------------------------------ answers


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"answer": "AB"}, Response("a", "mine", frozenset("AB"))),
        ({"answer": "a, b"}, Response("a", "mine", frozenset("AB"))),
        ({"answer": ["B"]}, Response("a", "mine", frozenset("B"))),
        ({"answer": ""}, Response("a", "mine", frozenset())),
        ({"answer": None}, Response("a", "mine", None, failure="no answer")),
        ({"answer": "", "failed": "timeout"}, Response("a", "mine", None, failure="timeout")),
        ({"answer": "", "abstained": True}, Response("a", "mine", frozenset(), abstained=True)),
        ({"answer": "B", "model": "m", "run": 2, "condition": "x"}, Response("a", "m", frozenset("B"), 2, "x")),
    ],
)
def test_an_answer_is_read_in_the_forms_that_people_write(
    tmp_path: Path, fields: dict[str, Any], expected: Response
) -> None:
    assert read_answers(write_lines(tmp_path / "mine.jsonl", {"id": "a"} | fields), QUESTIONS) == ([expected], [])


def test_answers_of_a_table_are_read_too(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "t.csv", "id,model,run,answer,abstained", "a,m,1,B,no", "b,m,1,,yes")
    found, flaws = read_answers(file, QUESTIONS)
    assert (flaws, [one.chosen for one in found], [one.abstained for one in found]) == (
        [], [frozenset("B"), frozenset()], [False, True],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("row", "flaw"),
    [
        ({"id": "z", "answer": "A"}, "the set has no question 'z'"),
        ({"id": "b"}, "has no answer"),
        ({"id": "b", "answer": 3}, "answer should be letters"),
        ({"id": "b", "answer": "A", "run": "x"}, "run should be a number from 1 on"),
        ({"id": "b", "answer": "A", "run": -1}, "run should be a number from 1 on"),
        ({"id": "b", "answer": "A", "abstained": "maybe"}, "abstained should be true or false"),
        ({"id": "a", "answer": "A"}, "t answers 'a' twice in run 1"),
    ],
)
def test_a_line_that_is_no_answer_is_left_out_and_named(tmp_path: Path, row: object, flaw: str) -> None:
    found, flaws = read_answers(write_lines(tmp_path / "t.jsonl", {"id": "a", "answer": "B"}, row), QUESTIONS)
    assert (len(found), found[0].chosen) == (1, frozenset("B"))
    assert flaws[0].startswith("t.jsonl:2: ")
    assert flaw in flaws[0]


def test_a_file_without_any_answer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no line is an answer"):
        read_answers(write_lines(tmp_path / "t.jsonl", {"id": "z", "answer": "A"}), QUESTIONS)
    for name in ("missing.jsonl", "t.txt"):
        with pytest.raises(UsageError, match="name a file of answers"):
            read_answers(tmp_path / name, QUESTIONS)


# ------------------------------------------------------------------------------------------------ reports


def test_answers_given_elsewhere_are_measured(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set")
    answers = write_lines(tmp_path / "m.jsonl", *({"id": f"q{n:03}", "answer": "A"} for n in range(12)), {"id": "x"})
    found = measure_answers(folder, answers, paper=False)

    assert found.title == "Evaluation on made"
    assert found.json["models"][0]["mean"]["exact"] == 3 / 12
    assert found.rows[1][:5] == ("m", 12, 0, 0, 0.25)
    assert len(found.notes) == 1
    assert "m.jsonl:13" in found.notes[0]


def test_items_of_an_evaluation_are_measured_like_answers_of_a_file(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set")
    task = Task("q000", "?", (("A", "x"), ("B", "y")), ("A",), "m", 1, "")
    found = measure_items(folder, [Taken(task, ("A",)), Taken(task, failure="refused")], paper=False)
    assert (found.rows[1][1], found.rows[1][3]) == (1, 1)


# ------------------------------------------------------------------------------------------------ files of evaluations


def test_the_file_of_an_evaluation_is_a_campaign_that_loads(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set")
    models = ("smollm2", "openai/gpt-5", "http://localhost:8000/v1#Qwen/Qwen3 30B", "mistral/gpt-5")
    text = write_evaluation(folder, "set/items.jsonl", models, WISH | {"target": 5})
    found = parse(tmp_path / "e.toml", text)

    assert find_set_file(folder) == folder / "items.jsonl"
    assert [found.models[name].provider for name in found.roles["take_question"].models] == [
        "local", "litellm", "direct", "litellm",
    ]  # fmt: skip
    assert [model.target for model in found.models.values()][2] == "Qwen/Qwen3 30B"
    assert {model.temperature for model in found.models.values()} == {0.3}
    assert (found.quota.target, found.roles["take_question"].runs) == (5, 2)
    assert found.settings["general_knowledge"] is True  # the set says that inference has made it
    assert write_evaluation(folder, "x", ("smollm2",), WISH).count("target") == 0


def test_models_of_one_name_get_numbers() -> None:
    assert name_models(["a/x", "b/x", "c/y", "a/--"]) == ["x-1", "x-2", "y", "model"]


@pytest.mark.parametrize("model", ["gpt-5", "http://localhost/v1", "ftp://host/x#m", "https://#m"])
def test_a_model_that_nobody_can_find_is_refused_with_the_ways_to_name_one(tmp_path: Path, model: str) -> None:
    with pytest.raises(UsageError, match="name it as smollm2"):
        write_evaluation(write_set(tmp_path / "set"), "x", (model,), WISH)
