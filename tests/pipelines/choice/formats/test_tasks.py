"""The set as tasks of other programs: how they ask and read, and, where they are installed, that they run them."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.contracts.export import InMemory, kept

from benchwright.pipelines import measure_answers
from benchwright.pipelines.choice.formats.tasks import task_name
from benchwright.pipelines.choice.kind import CHOICE

REPLIES = {"item0": "A", "item1": "Let me see.\nAnswer: B"}


def export(folder: Path) -> Path:
    for name, pieces in CHOICE.formats["tasks"].files(InMemory(lambda: [kept("One?"), kept("Two?", 1)])).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(pieces), "utf-8")
    return folder


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("answers", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tasks_come_with_the_files_of_the_set(tmp_path: Path) -> None:
    names = {path.relative_to(tmp_path).as_posix() for path in export(tmp_path).rglob("*") if path.is_file()}
    tasks = {"tasks/answers.py", "tasks/task.yaml", "tasks/inspect_task.py"}
    assert names == tasks | {"items.jsonl", "provenance.jsonl", "documents.jsonl"}
    assert "task: benchwright_outbreaks\n" in (tmp_path / "tasks" / "task.yaml").read_text("utf-8")
    assert "def benchwright_outbreaks():" in (tmp_path / "tasks" / "inspect_task.py").read_text("utf-8")
    assert tmp_path / "items.jsonl" == load(tmp_path / "tasks" / "answers.py").ITEMS


def test_a_name_becomes_letters_digits_and_low_lines() -> None:
    assert task_name("Ébola, 2nd (a)") == "benchwright_bola_2nd_a"
    assert task_name("疫") == "benchwright_set"


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("A", "A"), ("c, a", "AC"), ("AC", "AC"), ("Answer: B", "B"), ("NONE", ""), ("none.", ""),
        ("Because so.\n\n A and", None), ("I cannot tell", None), ("", None), ("D", None), ("A\nB", "B"),
    ],
)  # fmt: skip
def test_a_reply_is_read_by_its_last_line(tmp_path: Path, reply: str, answer: str | None) -> None:
    answers = load(export(tmp_path) / "tasks" / "answers.py")
    assert answers.read_answer(reply, 3) == answer


def test_the_prompt_holds_context_question_and_choices_and_not_the_key(tmp_path: Path) -> None:
    answers = load(export(tmp_path) / "tasks" / "answers.py")
    row = {"context": "It rained.", "question": "When?", "choices": ["Now", "Then"], "answer": "B"}
    assert answers.prompt(row).startswith("It rained.\n\nQuestion: When?\nA. Now\nB. Then\n")
    assert answers.prompt(row) == answers.prompt(row | {"answer": ""})
    assert (answers.exact_match(row, "B"), answers.exact_match(row, "A"), answers.exact_match(row, "?")) == (1, 0, 0)


# ------------------------------------------------------------------------------------------------ the real programs


HARNESS = """
import json, sys
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.api.registry import register_model
from lm_eval.tasks import TaskManager

replies = json.loads(sys.argv[1])

class Scripted(LM):
    def loglikelihood(self, requests): raise NotImplementedError
    def loglikelihood_rolling(self, requests): raise NotImplementedError
    def generate_until(self, requests): return [replies[one.doc["id"]] for one in requests]

found = simple_evaluate(Scripted(), tasks=["benchwright_outbreaks"], task_manager=TaskManager(include_path="tasks"))
print("RESULT", found["results"]["benchwright_outbreaks"]["exact_match,none"])
"""
INSPECT = """
import json, sys
from inspect_ai import eval
from inspect_ai.model import ModelOutput, get_model

replies = [ModelOutput.from_content("mockllm/model", text) for text in json.loads(sys.argv[1]).values()]
[log] = eval("tasks/inspect_task.py", model=get_model("mockllm/model", custom_outputs=replies), max_samples=1,
             max_connections=1, display="none")
print("RESULT", log.results.scores[0].metrics["accuracy"].value)
"""


def test_answers_of_the_same_letters_have_that_exact_match_with_us(tmp_path: Path) -> None:
    answers = tmp_path / "mine.jsonl"
    answers.write_text('{"id": "item0", "answer": "A"}\n{"id": "item1", "answer": "B"}\n', "utf-8")
    found = measure_answers(export(tmp_path), answers, paper=False)
    assert found.json["models"][0]["mean"]["exact"] == 0.5


def run(folder: Path, script: str, replies: dict[str, str]) -> float:
    """What a program, in a process of its own, makes of scripted replies."""
    litellm = importlib.util.find_spec("litellm")
    tokens = Path(litellm.origin).parent / "litellm_core_utils" / "tokenizers" if litellm and litellm.origin else folder
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(folder / "cache")}
    told: Any = subprocess.run(
        [sys.executable, "-c", script, json.dumps(replies)],
        cwd=folder,
        env={**os.environ, **offline, "TIKTOKEN_CACHE_DIR": str(tokens)},  # which Inspect else fetches
        capture_output=True,
        text=True,
        check=False,
    )
    assert "RESULT" in told.stdout, told.stdout + told.stderr
    return float(told.stdout.rpartition("RESULT ")[2])


@pytest.mark.parametrize(("module", "script"), [("lm_eval", HARNESS), ("inspect_ai", INSPECT)])
def test_the_program_gives_the_same_exact_match_as_we_do(tmp_path: Path, module: str, script: str) -> None:
    pytest.importorskip(module, reason=f"needs {module}")
    assert run(export(tmp_path), script, REPLIES) == 0.5
