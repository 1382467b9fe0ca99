"""A small real campaign, typed at the command line: documents on disk, models on a loopback server.

The three documents differ in how their items fare: one is kept, one waits for people, one is discarded.
"""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.scripted_recall import phrase
from tests.stub import Answer, Stub, completion, digest, in_thread

import benchwright
from benchwright.cli import main

HOSTILE = "because \x1b[2J[bold]of[/bold] \x9b1m\u202eit"
FATES = {"kept": "Wrong", "waiting": "Doubtful", "discarded": "Flawed"}
VERDICTS = {"Right": ("correct", "correct"), "Wrong": ("wrong", "wrong"), "Doubtful": ("wrong", "correct")}
CAMPAIGN = """
name = "small"
pipeline = "recall"
corpus = ["documents"]
[recall]
distractors = 2
min_options = 3
refills = 0
check_stems = false
check_evidence = false
family_veto = false
[rule]
accept = 0.8
reject = 0.4
quorum = 2
[models.writer]
base_url = "{url}"
model = "stub"
price_in = 1.0
price_out = 2.0
[models.second]
base_url = "{url}"
model = "other"
[roles]
default = "writer"
check_option = {{ panel = ["writer", "second"] }}
"""


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """What the models say: it depends on the request alone."""
    properties = body["response_format"]["json_schema"]["schema"]["properties"]
    made = next(make for key, make in MADE.items() if key in properties)
    return completion(body, json.dumps(made(body, properties)))


def choice(body: dict[str, Any], _: Any) -> dict[str, Any]:
    return {"rationale": HOSTILE, "suitable": [1], "best": 1}


def question(body: dict[str, Any], _: Any) -> dict[str, Any]:
    return {"rationale": HOSTILE, "evidence": [1], "question": f"Which {phrase(digest(body))} was it?"}


def options(body: dict[str, Any], properties: Any) -> dict[str, Any]:
    """One right option, or as many distractors as are wanted, whose first word says how they are judged."""
    text = body["messages"][1]["content"]
    fate = next(word for name, word in FATES.items() if f"This document is {name}." in text)
    schema = body["response_format"]["json_schema"]["schema"]
    if "confusion" not in json.dumps(schema):
        return {"options": [{"rationale": HOSTILE, "evidence": [1], "text": f"Right {phrase(digest(body))}"}]}
    return {
        "options": [
            {"rationale": HOSTILE, "evidence": [1], "confusion": kind, "text": f"{fate} {phrase(digest(body), kind)}"}
            for kind in ("place", "time")[: properties["options"]["maxItems"]]
        ]
    }


def verdicts(body: dict[str, Any], properties: Any) -> dict[str, Any]:
    lines = dict(re.findall(r"^([A-Z])\. (\w+)", body["messages"][-1]["content"], flags=re.MULTILINE))
    said = {
        letter: VERDICTS.get(word, ("flawed", "flawed"))[body["model"] == "other"] for letter, word in lines.items()
    }
    names = properties["verdicts"]["properties"]
    verdict = {name: {"sentences": [1], "reason": HOSTILE, "verdict": said[name]} for name in names}
    return {"answer": HOSTILE, "sentences": [1], "verdicts": verdict}


MADE = {"best": choice, "question": question, "options": options, "verdicts": verdicts}


@contextmanager
def served(said: Answer = answer) -> Iterator[Stub]:
    """The models, in a thread of their own."""
    with in_thread(Stub(said)) as stub:
        yield stub


def written(folder: Path, url: str) -> Path:
    """A campaign file with its documents, one of them empty; names and texts are hostile."""
    documents = folder / "documents"
    documents.mkdir()
    for fate in FATES:
        text = f"# A [bold]report[/bold]\n\nThis document is {fate}. It tells of {phrase(fate)}.\n"
        (documents / f"[red]{fate}.md").write_text(text, "utf-8")
    (documents / "empty\x1b[2J.md").write_text("", "utf-8")
    path = folder / "small.toml"
    path.write_text(CAMPAIGN.format(url=url), "utf-8")
    return path


@dataclass(frozen=True, slots=True)
class Typed:
    """What a command line came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)


def typed(*words: object) -> Typed:
    """Type a command line, in this process."""
    pipes = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(pipe, "utf-8", write_through=True) for pipe in pipes)
    hook = sys.excepthook
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as exited:
        main([str(word) for word in words])
    sys.excepthook = hook
    return Typed(int(exited.value.code or 0), *(pipe.getvalue().decode() for pipe in pipes))


def process(*words: str, stdout: int = subprocess.PIPE) -> "subprocess.CompletedProcess[bytes]":
    """Run Python on this very package."""
    environment = os.environ | {"PYTHONPATH": str(Path(benchwright.__file__).parents[1])}
    return subprocess.run(
        [sys.executable, *words], env=environment, stdout=stdout, stderr=subprocess.PIPE, input=b"", check=False
    )
