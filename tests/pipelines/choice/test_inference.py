"""Inference items: what is owed when, what graphs add, and what falls."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.agents.asks import document
from tests.pipelines.said import SEED, SPAN, ballot, choice, end, json_of, name, owed, refused, said, written
from tests.scripted_choice import GRAPH, KNOWN, campaign
from tests.scripted_choice import inference as scripted

from benchwright.agents.base import Passage, Quoted
from benchwright.agents.choice import infer_distractors
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Panel
from benchwright.domain.document import View, whole
from benchwright.domain.item import Ending, ItemState
from benchwright.pipelines import PIPELINES
from benchwright.pipelines.base import state_of
from benchwright.pipelines.choice.inference import Inference
from benchwright.pipelines.choice.option import CORRECT
from benchwright.pipelines.choice.spread import turn_of
from benchwright.pipelines.choice.stems import STEM
from benchwright.pipelines.lookups import TopicFacts

FAR = {"sentence": 5, "start": 90, "end": 94, "text": "Later, fjord and grove followed amber."}
TOLD = [one.id for one in KNOWN]


def inference(**parts: Any) -> Inference:
    """Without refinement, the model choosing topics, a panel of two."""
    return scripted(**{"refine": False, "topics": "model", "panel": Panel(("red", "green")), **parts})


def facts(count: int = 2, *foreign: str) -> Answer:
    found = TopicFacts.of(KNOWN[:count], (), ("a graph",), foreign)
    return said("find_facts", found.model_dump(mode="json"), by="code")


def summary(*numbers: int) -> Answer:
    told = [{"facts": [TOLD[n]], "statement": f"statement {n}"} for n in numbers]
    return said("summarise_knowledge", {"statements": told})


def question(*used: int) -> Answer:
    body = {"rationale": "so", "chain": "both", "evidence": [SPAN, FAR], "knowledge": list(used)}
    return said("write_inference", {**body, "question": "What follows?"})


def correct(*texts: str) -> Answer:
    return said("infer_correct_options", written(texts, SPAN))


def distractors(number: int, **texts: str) -> Answer:
    """What a round brought, the texts by their families."""
    options = [{**written([text], SPAN)["options"][0], "confusion": family} for family, text in texts.items()]
    return said("infer_distractors", {"options": options}, str(number))


def checks(verdicts: dict[str, str], sheet: int = 1, right: Sequence[str] = ("amber",)) -> list[Answer]:
    """The panel, of one mind."""
    return [replace(ballot(f"{model}#1", verdicts, sheet, right), step="check_inference") for model in ("red", "green")]


CHOSEN = [choice("choose_class"), choice("choose_topic")]
GIVEN = [*CHOSEN, facts(), summary(0, 1)]
ASKED = [*GIVEN, question(2), correct("amber")]
THREE = [
    *ASKED, distractors(1, attribution_shift="basin", causal_reversal="cedar", method_misuse="delta")
]  # fmt: skip
GOOD = {"amber": "correct", "basin": "wrong", "cedar": "wrong", "delta": "wrong"}


# ------------------------------------------------------------------------------------------------ what is owed


def test_an_item_goes_from_its_topic_over_what_graphs_know_to_question_options_and_checkers() -> None:
    steps = [*CHOSEN, facts(), summary(0), question(), correct("amber")]

    assert [[due.key for due in owed(inference(), steps[:n])] for n in range(len(steps) + 1)] == [
        ["choose_class//writer/0"],
        ["choose_topic//writer/0"],
        ["find_facts//graphs/0"],
        ["summarise_knowledge//writer/0"],
        ["write_inference//writer/0"],
        ["infer_correct_options//writer/0"],
        ["infer_distractors/1/writer/0"],
    ]
    assert {due.key for due in owed(inference(), THREE)} == {f"check_inference/1/{who}/0" for who in ("red", "green")}


def test_the_writer_of_the_question_gets_topic_focus_a_passage_and_numbered_statements() -> None:
    seed = replace(SEED, body='{"focus":"the section \\"Findings\\""}')
    (due,) = owed(inference(), GIVEN, seed)

    assert due.ask.topic.startswith("Frequency measures & standardization")
    assert (due.ask.focus, due.ask.nearby) == ('the section "Findings"', Passage(seed.id, 4, "Findings", due.ask.topic))
    assert [str(one) for one in due.ask.knowledge] == ["1. statement 0", "2. statement 1"]


def test_the_writer_of_the_question_is_told_how_many_answers_it_is_to_have() -> None:
    (one,) = owed(inference(several_correct=0, none_correct=0), GIVEN)
    (several,) = owed(inference(several_correct=1, none_correct=0, most_correct=4), GIVEN)
    assert (one.ask.wanted, several.ask.wanted) == (1, 4)


def test_the_writer_of_the_question_may_not_name_what_only_graphs_have() -> None:
    (due,) = owed(inference(), [*CHOSEN, facts(2, "Statement 1", "reedwort"), summary(0, 1)])
    assert [one.foreign for one in due.ask.knowledge] == [(), ("Statement 1",)]


def test_the_writer_of_correct_options_gets_the_chain_and_the_pieces_with_what_stands_around_them() -> None:
    (due,) = owed(inference(several_correct=0, none_correct=0), [*GIVEN, question()])
    assert (due.ask.chain, due.ask.nearby, due.ask.wanted) == ("both", Quoted((1, 5), 2), 1)

    (many,) = owed(inference(several_correct=1, none_correct=0, most_correct=4), [*GIVEN, question()])
    assert many.ask.wanted == 4


@pytest.mark.parametrize(
    "step", ["choose_class", "choose_topic", "find_facts", "write_inference", "infer_correct_options"]
)
def test_an_item_whose_writer_gives_no_answer_is_discarded_for_it(step: str) -> None:
    steps = {answer.step: answer for answer in ASKED}
    before = [steps[known] for known in list(steps)[: list(steps).index(step)]]

    assert end(inference(), [*before, refused(step)]).cause == f"{step}: refused"


def test_a_near_duplicate_is_discarded() -> None:
    assert end(inference(), [*ASKED, said("near_duplicate", {"of": "x"}, by="code")]).detail == "of item x"


# ------------------------------------------------------------------------------------------------ what graphs know


@pytest.mark.parametrize("knowledge", [None, {"graphs": []}])
def test_without_a_graph_none_is_asked_and_nothing_is_given(knowledge: object) -> None:
    (due,) = owed(inference(knowledge=knowledge), CHOSEN)
    assert (due.agent.name, due.ask.knowledge) == ("write_inference", ())


@pytest.mark.parametrize("nothing", [[facts(0)], [facts(), refused("summarise_knowledge")]], ids=["known", "said"])
def test_where_graphs_know_nothing_or_nobody_says_it_nothing_is_given(nothing: list[Answer]) -> None:
    answers = [*CHOSEN, *nothing]
    (due,) = owed(inference(), answers)
    assert (due.agent.name, due.ask.knowledge) == ("write_inference", ())
    assert shown(answers)["knowledge"] == {"given": 0, "used": []}


def test_the_facts_are_put_into_words_under_numbers_for_the_topic() -> None:
    (due,) = owed(inference(), [*CHOSEN, facts(2)])
    assert [one.fact for one in due.ask.facts] == list(KNOWN[:2])
    assert due.ask.topic.startswith("Frequency measures")


def shown(before: Sequence[Answer], *used: int) -> dict[str, Any]:
    """An item with a question after these answers, as it stands."""
    return json_of(inference().body(state_of(inference(), SEED, [*before, question(*used)])))


def test_an_item_stores_which_statements_were_used_with_the_facts_they_rest_on() -> None:
    assert shown(GIVEN, 2)["knowledge"] == {"given": 2, "used": [{"facts": [TOLD[1]], "statement": "statement 1"}]}
    assert shown(GIVEN)["knowledge"] == {"given": 2, "used": []}


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("The marsh ague came back", "outside_knowledge"),
        ("the MARSH-AGUE", "outside_knowledge"),
        ("The marsh agues came", None),
    ],
)
def test_an_option_that_names_what_only_graphs_told_of_falls(text: str, gate: str | None) -> None:
    answers = [*CHOSEN, facts(2, "marsh ague"), summary(0), question(), correct(text)]
    (option,) = state_of(inference(), SEED, answers).draft.options
    assert option.gate == gate
    assert state_of(inference(), SEED, [*CHOSEN, facts(2), *answers[3:]]).draft.options[0].gate is None


# ------------------------------------------------------------------------------------------------ distractors


TURN = turn_of(infer_distractors.FAMILIES, inference().campaign.seed, SEED.slot)


def test_distractors_of_families_that_are_there_are_not_asked_again() -> None:
    (first,) = owed(inference(), ASKED)
    (again,) = owed(inference(), [*ASKED, distractors(1, attribution_shift="basin", method_misuse="amber")])

    assert (first.ask.families, first.ask.wanted) == (TURN[:3], 3)
    assert again.ask.families == tuple(one for one in TURN if one != "attribution_shift")[:2]
    assert (again.ask.correct, again.ask.taken, again.ask.wanted) == (("amber",), ("basin", "amber"), 2)
    assert again.ask.nearby == Quoted((1, 5), 2)


def test_a_family_is_free_again_once_its_option_is_rejected() -> None:
    (due,) = owed(inference(), [*THREE, *checks(GOOD | {"cedar": "flawed"})])
    assert {"attribution_shift", "method_misuse"}.isdisjoint(due.ask.families)
    assert due.ask.wanted == len(due.ask.families) == 1


def test_a_correct_option_that_was_rejected_is_shown_as_taken_and_not_as_correct() -> None:
    both = [*GIVEN, question(2), correct("amber", "ember"), *THREE[-1:]]
    votes = checks(GOOD | {"ember": "wrong", "basin": "flawed"}, right=("amber", "ember"))
    (due,) = owed(inference(several_correct=1, none_correct=0), [*both, *votes])
    assert (due.ask.correct, due.ask.taken) == (("amber",), ("ember", "basin", "cedar", "delta"))


def test_where_every_family_is_there_all_may_come_again() -> None:
    texts = ("basin", "cedar", "delta", "ember", "fjord", "grove")
    six = distractors(1, **dict(zip(infer_distractors.FAMILIES, texts, strict=True)))
    (due,) = owed(inference(distractors=7), [*ASKED, six])
    assert (due.ask.families, due.ask.wanted) == (TURN[:1], 1)


def test_no_more_distractors_are_wanted_than_there_are_families_to_choose_from() -> None:
    (first,) = owed(inference(distractors=9), ASKED)
    assert (first.ask.families, first.ask.wanted) == (TURN, 6)
    five = distractors(1, **dict(zip(TURN, ("basin", "cedar", "delta", "ember", "fjord"), strict=False)))
    (again,) = owed(inference(distractors=9), [*ASKED, five])
    assert (again.ask.families, again.ask.wanted) == (TURN[5:], 1)


def test_a_repeated_option_falls_and_is_shown_once() -> None:
    three = distractors(
        1, attribution_shift="basin", causal_reversal="basin", method_misuse="cedar", principle_mismatch="delta"
    )
    verdict = end(inference(several_correct=0, none_correct=0), [*ASKED, three, *checks(GOOD)])
    body = json_of(verdict.body)

    assert sorted(body["order"]) == sorted([name("amber", CORRECT), *map(name, ("basin", "cedar", "delta"))])
    assert [option["fate"] for option in body["options"] if option["text"] == "basin"] == [
        "keep",
        "reject",
    ]


# ------------------------------------------------------------------------------------------------ the end


def test_a_kept_item_says_class_topic_what_was_intended_and_what_was_known() -> None:
    verdict: Ending = end(inference(several_correct=0, none_correct=0), [*THREE, *checks(GOOD)])

    assert (verdict.state, verdict.cause) == (ItemState.KEPT, "kept")
    assert json_of(verdict.body)["class"] == "Surveillance & Descriptive Epidemiology"
    assert json_of(verdict.body)["topic"] == "Frequency measures & standardization"
    assert (json_of(verdict.body)["intended"], json_of(verdict.body)["knowledge"]["given"]) == ("one", 2)
    assert json_of(verdict.body)["question"]["question"] == "What follows?"
    assert "difficulty" not in json_of(verdict.body)


def test_an_item_without_a_kept_correct_option_is_discarded_unless_the_campaign_keeps_it() -> None:
    none = [*THREE, *checks(GOOD | {"amber": "wrong"})]
    assert end(inference(), none).cause == "no correct option kept"
    assert end(inference(no_correct="keep"), none).cause == "kept without a correct option"


def test_the_pipeline_is_found_by_name_shows_all_and_names_what_it_draws_on(tmp_path: Path) -> None:
    (tmp_path / "facts.csv").write_text("a,treats,b\n")
    (tmp_path / "terms.csv").write_text("a,b\n")
    made = PIPELINES["inference"].of(campaign("inference", knowledge=GRAPH, search={"glossary": "terms.csv"}), tmp_path)

    assert list(made.sources()) == ["taxonomy", "graph triples", "glossary"]
    assert made.question_step == "write_inference"
    assert made.shows(document()) == whole(document()) == View("d1", (0, 1))


def test_the_panel_judges_the_question_before_correct_options_are_written() -> None:
    made = inference(check_stems=True)

    asked = owed(made, [*GIVEN, question(2)])
    assert {due.key for due in asked} == {f"check_stem/{STEM}/{who}/0" for who in ("red", "green")}
    assert asked[0].ask.question == "What follows?"

    verdict = {"answer": "Amber.", "sentences": [], "reason": "seen", "verdict": "sound"}
    sound = [said("check_stem", verdict, STEM, f"{who}#1") for who in ("red", "green")]
    assert [due.key for due in owed(made, [*GIVEN, question(2), *sound])] == ["infer_correct_options//writer/0"]
