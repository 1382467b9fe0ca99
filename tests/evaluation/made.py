"""A set of questions made by hand, and models on loopback that answer it."""

import json
import re
from pathlib import Path
from typing import Any

from tests.stub import Raw, completion

CHOICES = ("By water", "By air", "By ticks", "By food")


def write_set(folder: Path, questions: int = 12) -> Path:
    """A set as `export` writes it: two questions to a document, every sixth without a right choice."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, origins = [], []
    for n in range(questions):
        key = "" if n % 6 == 5 else "ABCD"[n % 4] + ("D" if n % 4 == 1 else "")
        document = f"d{n // 2}"
        context = f"Report {document}\n[1] In town {n // 2} people fell ill."
        question = f"How did disease {n} spread?"
        rows.append({"id": f"q{n:03}", "context": context, "question": question, "choices": [*CHOICES], "answer": key})
        options = [
            {"text": text, "confusion": "" if letter in key else f"trap {letter}"}
            for letter, text in zip("ABCD", CHOICES, strict=True)
        ]
        origins.append(
            {"id": f"q{n:03}", "document": document, "class": f"class {n % 2}", "topic": "t", "options": options}
        )
    (folder / "items.jsonl").write_text("".join(json.dumps(row | {"split": "test"}) + "\n" for row in rows), "utf-8")
    (folder / "provenance.jsonl").write_text("".join(json.dumps(row) + "\n" for row in origins), "utf-8")
    recipe = {"campaign": {"recipe": {"pipeline": "inference"}}, "name": "made"}
    (folder / "manifest.json").write_text(json.dumps(recipe), "utf-8")
    return folder


def key_of(question: str) -> str:
    """The key of a question of such a set."""
    found = re.search(r"disease (\d+)", question)
    n = int(found[1]) if found else 0  # the question is not always shown
    return "" if n % 6 == 5 else "ABCD"[n % 4] + ("D" if n % 4 == 1 else "")


def question_in(body: dict[str, Any]) -> str:
    """The question of a request."""
    text = "\n".join(part if isinstance(part, str) else part["text"] for part in contents(body))
    return str((re.findall(r"<question>\n(.*?)\n</question>", text, re.DOTALL) or [f"no question in {text}"])[-1])


def contents(body: dict[str, Any]) -> list[Any]:
    """The parts of all messages."""
    found = [message["content"] for message in body["messages"]]
    return [part for content in found for part in (content if isinstance(content, list) else [content])]


def answer(body: dict[str, Any]) -> dict[str, Any] | Raw:
    """Models by their names: strong is always right, weak always takes A, shy cannot tell, mute writes no JSON."""
    question = question_in(body)
    told = {
        "strong": {"choices": sorted(key_of(question)), "cannot_tell": False},
        "weak": {"choices": ["A"], "cannot_tell": False},
        "shy": {"choices": [], "cannot_tell": True},
    }.get(body["model"])
    return completion(body, "I would rather not say." if told is None else json.dumps(told))


def evaluation(url: str, *names: str) -> str:
    """The file of an evaluation on such a set, beside it."""
    entries = "".join(f'[models.{name}]\nbase_url = "{url}"\nmodel = "{name}"\nwidth = 2\n' for name in names)
    panel = json.dumps(list(names))
    top = 'pipeline = "evaluation"\ncorpus = ["set/items.jsonl"]\n'
    return f"{top}{entries}[roles]\ntake_question = {{ panel = {panel} }}\n"


def by_model(found: Any) -> dict[str, dict[str, Any]]:
    """The lines of a report by the names of models."""
    return {one["name"]: one for one in found["models"]}
