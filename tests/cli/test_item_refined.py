"""An item of inference or reconstruction, explained: its difficulty, what graphs know, what code looked up."""

from typing import Any

from tests.bodies import (
    FACT,
    HOSTILE,
    SPAN,
    difficulty,
    facts,
    inference,
    looked_up,
    option,
    reconstruction,
    round_,
    version,
)
from tests.cli.explained import explained
from tests.cli.status import drawn
from tests.scripted_recall import document

from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.document import View, read_out
from benchwright.domain.ids import canonical
from benchwright.domain.item import ItemState, Seed
from benchwright.domain.snippet import Snippet
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.review.history import History, Said
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


def test_a_refinement_is_told_from_the_first_stem_to_the_one_that_was_kept() -> None:
    in_order(
        told(inference()),
        "class: Surveillance; topic: Detection; options meant to be right: one",
        "Difficulty",
        "hard: it is hard enough",
        "by alpha 3/10, threshold 1/5, measured again within 1/20 of it",
        "version 0, as written: Where was dengue?",
        "easy, score 1/15 (0.067): 3 judges answered, 1 failed",
        "judge0#1: F1 2/3, not exact",
        "judge3#1 failed",
        "version 1, kept: Where was the break-bone illness?",
        "for 'dengue', from https://a.example/1",
        "hard, score 1/2 (0.500)",
        "round 1: to describe 'Maruna'",
        "could not be looked up: duckduckgo: timed out",
        "ended: nothing was found; duckduckgo: timed out",
        "round 2: to describe 'dengue' (also break-bone fever)",
        "found by glossary: Fevers https://a.example/1; terms.csv",
        "tried 'the dengue illness': Where was the dengue illness?",
        "no rewrite",
        "against it: it still says dengue",
        "ended: a new version, which checkers take for the same question",
        "Option A, ",
    )


def test_a_list_of_items_has_the_question_as_the_set_has_it() -> None:
    assert CHOICE.title(CHOICE.read(inference())) == inference()["question"]["question"]


def test_what_strangers_write_drives_no_terminal() -> None:
    text = told(inference())
    assert not {"\x1b", "\u202e"} & set(text)
    assert "[bold]" in text


def test_a_stem_without_a_score_and_rounds_without_an_entity_or_an_end_are_told_as_such() -> None:
    mark = {"by": "judge0#1", "f1": "1", "exact": 1}
    dumb = version("Where?", None, "unknown", answered=0, failed=0, marks=[mark])
    rounds = [round_("", end="the stem has no other entity to describe"), round_("rain")]
    text = told(inference(difficulty=difficulty(best=0, level="unknown", why="", versions=[dumb], rounds=rounds)))
    in_order(
        text,
        "version 0, as written, kept: Where?",
        "unknown, without a score: 0 judges answered\n",
        "judge0#1: F1 1, exact",
        "round 1: nothing to describe",
        "ended: the stem has no other entity to describe",
        "round 2: to describe 'rain'",
        "ended: not yet",
    )


def test_statements_of_graphs_are_told_with_their_facts() -> None:
    in_order(
        told(inference(), facts()),
        "What graphs know",
        "2 statements given to the writer of the question, 1 used",
        "Chloroquine treats malaria.",
        "chloroquine | treats | malaria | since 1946 (Hetionet)",
    )
    assert FACT.id in told(inference())


def test_where_graphs_gave_nothing_nothing_is_told_of_them() -> None:
    assert "What graphs know" not in told(inference(knowledge={"given": 0, "used": []}))


def test_an_item_of_reconstruction_has_no_class_and_tells_what_is_masked() -> None:
    text = told(reconstruction(), masked=(1,))
    assert "class:" not in text
    assert "options meant to be right: none" in text
    assert "masked, seen by some writers alone: Response" in text
    assert "right: none of them" in text
    assert "What graphs know" not in text


def test_conclusions_are_told_with_their_source_and_what_checkers_say_of_it() -> None:
    wet = {"text": "Rain brings dengue", "discussion": [SPAN], "evidence": [], "rationale": "so"}
    dry = wet | {"text": f"Drought ends it {HOSTILE}"}
    said = Answer("extract_conclusion", "", "writer#1", canonical({"conclusions": [wet, dry]}))
    verdict = canonical({"reason": "further than that", "verdict": "distorted"})
    votes = [
        Answer("compare_conclusion", "2", "red#1", verdict),
        failure_answer("compare_conclusion", "2", "red#2", "refused", ""),
    ]
    text = told(None, said, *votes, masked=(1,))
    in_order(
        text,
        "masked, seen by some writers alone: Response",
        "Conclusions, from what is masked",
        "1. Rain brings dengue\n    [D2] It was the west.",
        "2. Drought ends it",
        "red#1 says distorted: further than that\n",
        "no question was written",
    )
    assert "red#2 says" not in text
    assert not {"\x1b", "\u202e"} & set(text)
    assert "Conclusions" not in told(None, failure_answer("extract_conclusion", "", "writer#1", "refused", ""))


def test_an_option_that_was_left_out_on_purpose_says_so() -> None:
    text = told(reconstruction())
    in_order(text, "Option, correct, a", "left out so that no option is right")
    assert text.count("left out so that") == 1
    assert "left out so that" not in told(reconstruction(order=[], options=[option("a", "correct")]))


def test_the_kind_of_a_wrong_option_is_told_in_words() -> None:
    assert "distractor (principle mismatch), b" in told(inference())


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
