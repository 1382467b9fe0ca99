"""What people see of options of inference and reconstruction: cards, files, pages, and the rules they decide by."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console, RenderableType
from tests.bodies import SPAN, facts
from tests.scripted_recall import UNCHECKED, document

from benchwright.agents.base import load_prompt
from benchwright.agents.choice import review_option
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign, Model, Panel
from benchwright.domain.document import View, whole
from benchwright.domain.ids import canonical
from benchwright.domain.item import Seed
from benchwright.domain.opinion import Policy
from benchwright.domain.vote import Rule
from benchwright.engine.plans import planner
from benchwright.pipelines.choice.inference import Inference
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR, option_id
from benchwright.pipelines.choice.reconstruction import Reconstruction
from benchwright.review import desk as cards
from benchwright.review import exchange, files
from benchwright.review.reviewed import reviewed_parts
from benchwright.show import terminal
from benchwright.store import documents, items, jobs
from benchwright.store.database import Connection, Database
from benchwright.web import views

Kind = type[Inference] | type[Reconstruction]
RIGHT, WRONG = "The rains brought it", ("Floods ended it", "Trade carried it", "Cold drove it off")
UNSURE = Rule(Fraction(9, 10), Fraction(1, 10), 1)
SETTINGS: dict[Kind, dict[str, Any]] = {
    Inference: {"knowledge": {"graphs": [{"form": "triples", "path": "facts.csv"}]}},
    Reconstruction: {},
}
CHECKS: dict[Kind, str] = {Inference: "check_inference", Reconstruction: "check_reconstruction"}
SHARED: dict[str, Any] = {"refine": False, "none_correct": 0, "several_correct": 0, "waves": "eager", **UNCHECKED}


def pipeline(kind: Kind) -> Inference | Reconstruction:
    """A campaign of one model and two checkers, whose votes never suffice."""
    models = {name: Model(name, "direct", name, "http://127.0.0.1:9/v1") for name in ("writer", "red")}
    panels = (CHECKS[kind], "compare_conclusion")
    roles = {one.name: Panel(("writer", "red") if one.name in panels else ("writer",)) for one in kind.agents}
    settings = {"distractors": 3, **SHARED, **SETTINGS[kind]}
    campaign = Campaign(
        "test", kind.name, ("*.md",), models, roles, UNSURE, settings=settings, review=Policy(blind=False)
    )
    return kind.of(campaign, Path())


def said(step: str, body: object, about: str = "", by: str = "writer#1") -> Answer:
    return Answer(step, about, by, canonical(body))


def printed(drawn: RenderableType) -> str:
    console = Console(width=1000, file=StringIO())
    with console.capture() as got:
        console.print(drawn)
    return got.get()


def text(wording: str, **more: object) -> dict[str, object]:
    return {"text": wording, "rationale": "so", "evidence": [SPAN], **more}


def asked(step: str, **more: object) -> Answer:
    return said(step, {"rationale": "so", "question": "What brought the fever?", "evidence": [SPAN], **more})


def opening(kind: Kind, second: str) -> list[Answer]:
    """An item up to its options; `second` is the other checker's verdict on what a conclusion was taken from."""
    kinds = ("principle_mismatch", "causal_reversal", "attribution_shift")
    wrong = {"options": [text(one, confusion=which) for one, which in zip(WRONG, kinds, strict=True)]}
    if kind is Inference:
        choice = {"rationale": "so", "best": 1, "suitable": [1]}
        return [
            said("choose_class", choice),
            said("choose_topic", choice),
            facts(),
            said("summarise_knowledge", {"statements": [{"facts": ["f"], "statement": "Chloroquine treats malaria."}]}),
            asked("write_inference", chain="so", knowledge=[1]),
            said("infer_correct_options", {"options": [text(RIGHT)]}),
            said("infer_distractors", wrong, "1"),
        ]
    return [
        said("extract_conclusion", {"conclusions": [text(RIGHT, discussion=[SPAN])]}),
        said("compare_conclusion", {"verdict": "faithful", "reason": "so"}, "1"),
        said("compare_conclusion", {"verdict": second, "reason": "so"}, "1", "red#1"),
        asked("ask_for_conclusion"),
        said("mislead", wrong, "1"),
    ]


def ballots(kind: Kind) -> list[Answer]:
    """Two checkers who never agree."""
    names = [option_id(CORRECT, RIGHT), *(option_id(DISTRACTOR, one) for one in WRONG)]
    return [
        said(CHECKS[kind], {"verdicts": {name: {"reason": "so", "verdict": verdict} for name in names}}, "1", by)
        for by, verdict in (("writer#1", "correct"), ("red#1", "wrong"))
    ]


async def waiting(database: Database, kind: Kind, second: str = "faithful") -> exchange.Desk:
    """A desk on which all options of one item lie."""
    made, source = pipeline(kind), document(1)
    view = View(source.id, (0,), (1,)) if kind is Reconstruction else whole(source)

    def put(connection: Connection) -> None:
        documents.admit(connection, source, view)
        seq = items.add(connection, Seed(0, 0, view, '{"focus":"any part of the document"}'))
        assert seq
        for answer in (*opening(kind, second), *ballots(kind)):
            items.say(connection, seq, answer, "now")
        jobs.replan(connection, planner(made))

    await database.write(put)
    return exchange.Desk(made, made.campaign.review, planner(made))


BOTH = pytest.mark.parametrize("kind", [Inference, Reconstruction])


@BOTH
async def test_options_go_out_as_cards_and_files_and_come_back(kind: Kind, tmp_path: Path) -> None:
    async with await Database.open(None, create=True) as database:
        desk = await waiting(database, kind)
        found = await database.read(lambda connection: exchange.entries(connection, desk))
        shown = [card.shown for card in found]
        assert {one["option"] for one in shown} == {RIGHT, *WRONG}
        assert all(len(one["votes"]) >= 2 and str(one["evidence"]).startswith("[2] ") for one in shown)
        rules = desk.pipeline.people[0].prompt.rules
        for name, form in (
            ("a.csv", ""),
            ("b.jsonl", ""),
            ("c.xlsx", ""),
            ("d.json", "label-studio"),
            ("e.json", "argilla"),
        ):
            (first, *_) = files.write(tmp_path / name, found, form, rules)
            assert len(files.read(first)) == 4
        assert json.loads((tmp_path / "e.settings.json").read_text())["guidelines"] == rules
        rows = [replace(row, given={**row.given, "decision": "keep"}) for row in files.read(tmp_path / "a.csv")]
        outcomes = await database.write(lambda connection: exchange.take(connection, rows, desk, "ada", "now"))
        assert {one.outcome for one in outcomes} == {exchange.Outcome.APPLIED}, outcomes
        (row,) = await database.read(lambda connection: list(items.pages(connection)))
        assert row.state == "kept"
        told = await database.read(lambda connection: list(reviewed_parts(connection, desk)))
        assert {one.holds["decision"] for one in told} == {"keep"}


@BOTH
async def test_the_page_shows_the_card_and_nothing_of_what_is_masked(kind: Kind) -> None:
    async with await Database.open(None, create=True) as database:
        desk = await waiting(database, kind)
        card = await database.write(lambda connection: cards.next_card(connection, desk, "human:ada", 1.0))
        assert card
        page = views.card(card, {name: {} for name in views.names(card)})
        titles = [part.title for part in page["sections"]]
        assert titles == (["Findings"] if kind is Reconstruction else ["Findings", "Response"])
        assert "Sentence 5" not in repr(page["sections"]) or kind is Inference
        assert page["cited"]
        votes = next(one.lines for one in page["fields"] if one.name == "votes")
        assert {vote.split()[2].rstrip(":") for vote in votes if "of its source" not in vote} == {"correct", "wrong"}


@pytest.mark.parametrize("doubted", [True, False])
async def test_what_a_conclusion_was_taken_from_is_shown_where_it_is_doubted_and_nowhere_else(doubted: bool) -> None:
    async with await Database.open(None, create=True) as database:
        desk = await waiting(database, Reconstruction, "distorted" if doubted else "faithful")
        entries = await database.read(partial(exchange.entries, desk=desk))
        shown = {str(one.shown["option"]): str(one.shown.get("source", "")) for one in entries}
        page, drawn = {}, {}
        for _ in shown:
            card = await database.write(partial(cards.next_card, desk=desk, person="human:ada", now=1.0))
            assert card
            fields = {one.name: one for one in views.card(card, {name: {} for name in views.names(card)})["fields"]}
            option = fields["option"].text
            page[option] = [one.number for one in fields["source"].masked] if "source" in fields else []
            drawn[option] = printed(terminal.draw_card(card))
            await database.write(partial(cards.skip, desk=desk, person="human:ada", name=card.case.name))
    assert page == {one: [2] if doubted and one == RIGHT else [] for one in (RIGHT, *WRONG)}
    for told in (shown, drawn):
        assert [one for one, words in told.items() if "[D" in words] == ([RIGHT] if doubted else [])
    assert not doubted or "[D2] Sentence 4" in shown[RIGHT]


@BOTH
def test_people_decide_by_rules_of_the_pipeline(kind: Kind) -> None:
    told = pipeline(kind).people[0].prompt.rules
    assert told != review_option.agent.prompt.rules
    assert "states it outright" not in told
    assert "Reject it if a single sentence states it" in told


@pytest.mark.parametrize("name", ["review_inference", "review_reconstruction"])
def test_all_rules_for_people_end_in_the_same_question(name: str) -> None:
    mine, first = load_prompt("benchwright.agents.choice", name), review_option.agent.prompt
    assert mine.task.template == first.task.template
    assert mine.rules.split("\n\n")[-1] == first.rules.split("\n\n")[-1]
    assert mine.id != first.id
