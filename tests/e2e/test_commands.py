"""Every command for every registered pipeline, and for a stranger's that lies in `tests/foreign`."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.contracts import commands
from tests.contracts.commands import Case
from tests.crisis import campaign as crisis
from tests.crisis.models import answer as crisis_answer
from tests.e2e import machine
from tests.e2e.models import answer
from tests.e2e.test_kill_refining import campaign as refined
from tests.foreign import campaign as foreign
from tests.foreign.__main__ import main as foreign_main
from tests.foreign.models import answer as foreign_answer
from tests.foreign.pipeline import Pairs, registered
from tests.retrieval import world
from tests.stub import Stub, in_thread

from benchwright import cli

AUDIT = "[review]\naudit = 1.0\n"  # people are asked about every option


def audited(folder: Path, url: str, pipeline: str) -> Path:
    """A small campaign of questions with options, all of which people see: none waits for a word on its question."""
    file = machine.campaign(folder, url, reports=2) if pipeline == "recall" else refined(folder, url, pipeline, 2)
    text = file.read_text("utf-8").replace("[recall]", "[recall]\ncheck_stems = false", 1)
    file.write_text(text + AUDIT, "utf-8")
    return file


def choice(pipeline: str) -> Case:
    return Case(
        pipeline=pipeline,
        write=partial(audited, pipeline=pipeline),
        main=cli.main,
        module="benchwright",
        thing="option",
        voted=True,
        key="k",
        filled={"decision": "keep"},
        files=frozenset({"items.jsonl", "provenance.jsonl", "documents.jsonl", "manifest.json", "README.md"}),
        wanted=2,
        takes=".md",
    )


FOREIGN = Case(
    pipeline=Pairs.name,
    write=foreign.campaign,
    main=foreign_main,
    module="tests.foreign",
    thing="pair",
    voted=False,
    key="2",
    filled={"grade": "2"},
    files=frozenset({"qrels.txt", "queries.jsonl", "manifest.json", "README.md"}),
    wanted=foreign.RECORDS * (1 + foreign.DEPTH),
    takes=".jsonl",
)
CRISIS = Case(
    pipeline="crisis",
    write=crisis.waiting,
    main=cli.main,
    module="benchwright",
    thing="check",
    voted=True,
    key="k",
    filled={"decision": "keep"},
    files=frozenset(
        {"questions.jsonl", "scenes.jsonl", "answers.jsonl", "judgements.jsonl", "manifest.json", "README.md"}
    ),
    wanted=crisis.WANTED,
    takes=".jsonl",
)
RETRIEVAL = Case(
    pipeline="retrieval",
    write=partial(world.campaign, settings="bound = 1"),
    main=cli.main,
    module="benchwright",
    thing="pair",
    voted=False,
    key="2",
    filled={"grade": "2"},
    files=frozenset({"corpus.jsonl", "queries.jsonl", "qrels/test.tsv", "grades.jsonl", "manifest.json", "README.md"}),
    wanted=160,
    takes=".md",
)
CHOICE = ("recall", "inference", "reconstruction")
CASES = [*(choice(name) for name in CHOICE), RETRIEVAL, CRISIS, FOREIGN]


@dataclass(frozen=True, slots=True)
class Made:
    """A campaign that has run to where people are next, and its models."""

    case: Case
    file: Path
    models: Stub


def said(body: dict[str, Any]) -> dict[str, Any]:
    """What the models say, whoever's agents ask."""
    if "input" in body or "test collection" in body["messages"][0]["content"]:
        return world.answer(body)
    wanted = body["response_format"]["json_schema"]["schema"]["properties"]
    if "in emergencies" in str(body["messages"][0]):
        return crisis_answer(body)
    return foreign_answer(body) if {"query", "grade"} & set(wanted) else answer(body)


@pytest.fixture(name="made", scope="module", params=CASES, ids=lambda case: case.pipeline)
def _made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    with in_thread(Stub(said, 0.02)) as models, registered():
        file = commands.made(request.param, tmp_path_factory.mktemp("made") / "campaign", models)
        yield Made(request.param, file, models)


@pytest.fixture(name="copy")
def _copy(made: Made, tmp_path: Path) -> Path:
    return commands.copied(made.file, tmp_path / "copy")


def test_init(made: Made, tmp_path: Path) -> None:
    commands.init_writes_a_campaign_that_names_the_pipeline(made.case, tmp_path)


def test_doctor(made: Made, tmp_path: Path) -> None:
    commands.doctor_finds_all_in_order(made.case, tmp_path / "new", made.models.url)


def test_estimate(made: Made, tmp_path: Path) -> None:
    commands.estimate_counts_items_and_calls_before_anything_is_asked(made.case, tmp_path / "new", made.models)


def test_status_and_items(made: Made) -> None:
    commands.status_and_items_tell_how_it_stands(made.case, made.file)


def test_explain(made: Made) -> None:
    commands.every_item_is_explained(made.case, made.file)


def test_checkers(made: Made) -> None:
    commands.checkers_are_measured(made.case, made.file)


def test_whatif(made: Made, copy: Path) -> None:
    commands.another_rule_is_tried_or_said_not_to_apply(made.case, copy)


def test_review_in_a_terminal(made: Made, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands.people_decide_at_the_terminal(made.case, copy, monkeypatch)


def test_review_on_a_page(made: Made, copy: Path) -> None:
    commands.people_decide_on_a_page(made.case, copy)


def test_review_in_files_then_the_end_and_the_set(made: Made, copy: Path, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    commands.ends_when_people_have_decided_and_is_exported(made.case, copy, folder)
