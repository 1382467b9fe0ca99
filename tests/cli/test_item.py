"""One item, drawn from values: what a short campaign seldom shows."""

from pathlib import Path
from typing import Any

from tests.cli.explained import explained
from tests.cli.status import drawn
from tests.scripted_recall import document

from benchwright.agents import choice
from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.document import View, read_out
from benchwright.domain.ids import canonical
from benchwright.domain.item import ItemState, Seed
from benchwright.engine.history import History, Said
from benchwright.show.item import TASK, history
from benchwright.store.items import Row

CALL = {
    "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Which \x1b[2J? " * 40}],
    "reply": '{"best": 1}',
    "prompt": 20_000,
    "completion": 5,
    "cost": 0.25,
    "latency": 1.25,
}
OPTION = {
    "id": "abc",
    "label": "distractor",
    "text": "the east",
    "rationale": "so",
    "confusion": "place",
    "evidence": [{"sentence": 2, "start": 10, "end": 20, "text": "It was the west."}],
    "gate": None,
    "route": "human",
    "ratio": "1/2",
    "votes": [],
    "decisions": [],
    "fate": "human",
}


def told(
    body: dict[str, Any] | None = None,
    said: tuple[Said, ...] = (),
    *,
    state: ItemState = ItemState.OPEN,
    sections: tuple[int, ...] = (0, 1),
    prompts: bool = False,
) -> str:
    """What `explain` prints of such an item."""
    source = document(1)
    view = View(source.id, sections)
    row = Row(1, "f" * 32, Seed(2, 1, view), state, "", "", None)
    found = History(row, source, read_out(source, view), said)
    return drawn(history(explained(found, body, None), prompts=prompts))


def stands(**changes: Any) -> dict[str, Any]:
    """An item with one option."""
    question = {"question": "Where was it?", "evidence": [], "rationale": "so"}
    return {"class": "Places", "topic": "East", "question": question, "options": [OPTION | changes], "order": []}


def test_an_item_without_a_question_says_so() -> None:
    text = told()
    assert "(place 3, try 2): open" in text
    assert "no question was written" in text
    assert "not yet: models owe answers" in text
    assert "0 calls, cost $0.00" in text


def test_a_view_of_some_sections_is_told() -> None:
    assert "shown of it: 1 of 2 sections" in told(sections=(1,))
    assert "shown of it" not in told()


def test_the_evidence_of_an_option_has_its_place_in_the_document() -> None:
    text = told(stands())
    assert "Option, distractor (place), abc" in text
    assert "[2] It was the west.  (characters 10-20)" in text


def test_an_answer_with_its_call_shows_heads_of_prompt_and_reply() -> None:
    text = told(said=(Said(Answer("choose_class", "", "red#1", canonical({"best": 1}), "c"), CALL),))
    assert "1. choose_class, red#1 (20.0k tokens in, 5 out, 1.2 s, $0.2500)" in text
    assert r"asked: Which \x1b[2J? Which" in text
    assert "…" in text
    assert "Be brief." not in text
    assert "1 call, cost $0.2500" in text


def test_the_head_of_a_task_leaves_out_what_form_the_reply_has() -> None:
    last = [{"role": "user", "content": "Now the document. Reply with JSON.\nQuestion: where?\nOptions:\nA. east"}]
    text = told(said=(Said(Answer("check_option", "1", "red#1", "{}", "c"), CALL | {"messages": last}),))
    assert "asked: Question: where? Options: A. east\n" in text
    correction = [{"role": "user", "content": "Your reply cannot be used: no JSON\nReply again."}]
    text = told(said=(Said(Answer("check_option", "1", "red#1", "{}", "c"), CALL | {"messages": correction}),))
    assert "asked: Your reply cannot be used: no JSON Reply again.\n" in text


def test_the_task_of_every_prompt_begins_as_its_head_expects() -> None:
    prompts = {file.name: file.read_text() for file in Path(choice.__file__).parent.glob("*.md")}
    tasks = {name: text.partition("# task\n")[2] for name, text in prompts.items() if not name.startswith("review_")}
    assert [name for name, task in tasks.items() if task and not task.startswith(TASK)] == []
    assert any(tasks.values())


def test_prompts_are_whole_turn_by_turn_where_asked_for() -> None:
    text = told(said=(Said(Answer("choose_class", "", "red#1", "{}", "c"), CALL),), prompts=True)
    assert "  system:\n  Be brief.\n" in text
    assert text.count(r"\x1b[2J?") == 40


def test_a_failed_answer_shows_its_cause_and_a_call_without_a_price_makes_the_cost_unknown() -> None:
    refused = Said(failure_answer("check_option", "1", "red#2", "refused", "I cannot"), None)
    unpriced = Said(Answer("check_option", "1", "blue#1", "{}", "c"), CALL | {"cost": None, "reply": None})
    text = told(said=(refused, unpriced))
    assert '1. check_option about 1, red#2\n  {"detail":"I cannot","failure":"refused"}' in text
    assert "1 call, cost unknown" in text
    assert '"failure":"refused"' in told(said=(refused,), prompts=True)
