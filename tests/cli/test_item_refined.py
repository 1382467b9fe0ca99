"""An item of inference or reconstruction, drawn: its masked sections, its place, what code looked up."""

from typing import Any

from tests.bodies import (
    facts,
    inference,
    looked_up,
    reconstruction,
)
from tests.cli.explained import explained
from tests.cli.status import drawn
from tests.scripted_recall import document

from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.document import View, read_out
from benchwright.domain.item import ItemState, Seed
from benchwright.domain.snippet import Snippet
from benchwright.engine.history import History, Said
from benchwright.show.item import history
from benchwright.store.items import Row


def told(body: dict[str, Any] | None = None, *said: Answer, masked: tuple[int, ...] = (), prompts: bool = False) -> str:
    """What `explain` prints of a kept item."""
    source = document(1)
    view = View(source.id, (0,) if masked else (0, 1), masked)
    row = Row(1, "f" * 32, Seed(0, 0, view), ItemState.KEPT, "kept", "", body)
    answers = tuple(Said(answer, None) for answer in said)
    return drawn(
        history(explained(History(row, source, read_out(source, view), answers), body, 1), prompts=prompts), 240
    )


def in_order(text: str, *parts: str) -> None:
    """Each part is there, after the one before."""
    place = 0
    for part in parts:
        assert part in text[place:], part
        place = text.index(part, place) + len(part)


def test_what_strangers_write_drives_no_terminal() -> None:
    text = told(inference())
    assert not {"\x1b", "\u202e"} & set(text)
    assert "[bold]" in text


def test_what_is_masked_is_told_before_the_story_and_the_place_in_the_set_behind_it() -> None:
    in_order(
        told(reconstruction(), masked=(1,)),
        "masked, seen by some writers alone: Response",
        "options meant to be right: none",
        "Option, correct, a",
        "In the export",
        "right: none of them",
    )


def test_what_a_search_found_is_readable_and_signed_by_code() -> None:
    snippets = [Snippet(f"Line {n} {'x' * 300}", f"https://a.example/{n}", "Fevers" if n else "") for n in range(4)]
    said = looked_up(*snippets)
    text = told(inference(), said)
    in_order(
        text,
        "1. look_up about 1.ab12cd34, code\n",
        "found 4 snippets by glossary",
        "failed: duckduckgo: timed out",
        "also called: break-bone fever",
        "https://a.example/0 Line 0 xxx",
        "…",
        "and 3 lines more: --prompts shows all",
    )
    whole = told(inference(), said, prompts=True)
    assert "https://a.example/3 Fevers: Line 3" in whole
    assert "lines more" not in whole


def test_a_search_that_found_nothing_says_so() -> None:
    in_order(told(inference(), looked_up()), "found 0 snippets\n", "failed: duckduckgo: timed out")


def test_what_graphs_know_is_readable_and_signed_by_code() -> None:
    in_order(
        told(inference(), facts("lupus")),
        "1. find_facts, code\n",
        "2 facts; 1 with both names in the document",
        "how: dictionary: malaria",
        "not in the document: lupus",
        "chloroquine | treats | malaria | since 1946 (Hetionet)",
        "and 1 line more: --prompts shows all",
    )
    assert "not in the document" not in told(inference(), facts(), prompts=True)


def test_a_look_up_that_failed_shows_its_cause() -> None:
    text = told(inference(), failure_answer("look_up", "1.ab", "search#1", "crashed", "2 processes died"))
    assert '{"detail":"2 processes died","failure":"crashed"}' in text
