"""What is asked about a scene when: captions, drafts and forms, classes, experts."""

import pytest
from tests.crisis.campaign import RECORDS
from tests.pipelines.crisis.asked import BARE, CLASS, GOOD, NO, PHOTO, YES, due_of, ending, owed, said, scene_of
from tests.pipelines.crisis.making import FORM, corpus, crisis
from tests.pipelines.crisis.test_contract import begin

from benchwright.agents.crisis import annotate_scene
from benchwright.domain.answer import failure_answer
from benchwright.domain.call import Image
from benchwright.domain.item import Ending
from benchwright.pipelines.base import state_of
from benchwright.pipelines.crisis.body import Scene
from benchwright.pipelines.polling import UNAVAILABLE

# ------------------------------------------------------------------------------------------------------------ scenes


def test_a_scene_that_cannot_be_used_is_discarded_with_its_reason() -> None:
    made = crisis()
    end = ending(made, scene_of(made, {"text": "Smoke."}))
    assert (end.cause, end.detail) == ("unusable scene", "there is no incident: name one at least in incidents")


def test_notes_that_are_there_twice_are_used_once() -> None:
    made = crisis()
    again = {**RECORDS[0], "annotator": "zoe", "licence": "CC-BY-4.0"}
    first, second = begin(made, "scenes", corpus(RECORDS[0], again))
    assert owed(made, first) == [("classify_resource", "red")]
    end = ending(made, second)
    assert (end.cause, end.detail) == ("duplicate notes", "record 1 of the corpus holds the same notes")


def test_an_image_without_words_needs_a_caption_where_no_model_sees() -> None:
    made, seeing = crisis(), crisis(images="models")
    record = {"image": PHOTO, "incidents": ["on fire"]}
    end = ending(made, scene_of(made, record))
    assert (end.cause, "fill caption or text" in end.detail) == ("no caption", True)
    seed = scene_of(seeing, record)
    due = due_of(seeing, seed)
    assert (due.agent.name, due.agent.frame.images) == ("caption_scene", True)
    assert due.agent.frame.parts({"image": PHOTO}) == (Image("ab" * 32, "image/png", 3),)
    failed = failure_answer("caption_scene", "", "red#1", "refused", "no people")
    assert (ending(seeing, seed, failed).cause, ending(seeing, seed, failed).detail) == ("no caption", "no people")
    told = said("caption_scene", {"caption": "A hill in smoke."})
    draft = due_of(seeing, seed, told)
    assert (draft.agent, draft.ask.scene) == (annotate_scene.seeing, "A hill in smoke.")
    body = seeing.body(state_of(seeing, seed, [told]))
    assert isinstance(body, Scene)
    assert (body.caption, body.captioned_by) == ("A hill in smoke.", "red#1")


def test_only_models_that_see_are_shown_images() -> None:
    assert "caption_scene" not in {agent.name for agent in crisis().agents}
    assert not any(agent.frame.images for agent in crisis().agents)
    assert {agent.name for agent in crisis(images="models").agents if agent.frame.images} == {
        "caption_scene",
        "annotate_scene",
    }


def test_a_draft_is_never_used_before_people_have_corrected_it() -> None:
    made = crisis()
    seed = scene_of(made, BARE)
    remedy = {"solution": "run", "explanation": "fire"}
    draft = said("annotate_scene", {"problem": "fire", "missing_resource": "water", **dict.fromkeys(GOOD, remedy)})
    assert owed(made, seed) == [("annotate_scene", "red")]
    assert owed(made, seed, draft) == [("fill_scene", "human")]
    state = state_of(made, seed, [draft])
    card = made.card(state, "fill_scene", "form")
    assert card is not None
    assert (card.why, card.input("problem").begins, card.input("solution_week").begins) == (
        "a model drafted it",
        "fire",
        "run",
    )
    form = said("fill_scene", {**FORM, "decision": "save", "reason": "", "text": ""}, "human:ada", "form")
    assert owed(made, seed, draft, form) == [("classify_resource", "red")]
    body = made.body(state_of(made, seed, [draft, form]))
    assert isinstance(body, Scene)
    assert (body.problem, body.author, len(body.drafted)) == ("the stairs burn", "human:ada", 8)
    gone = said("fill_scene", {"decision": "discard", "reason": "no scene"}, "human:ada", "form")
    assert (ending(made, seed, draft, gone).cause, ending(made, seed, draft, gone).detail) == (
        "discarded by people",
        "no scene",
    )


@pytest.mark.parametrize("drafts", [True, False])
def test_without_a_draft_people_fill_in_an_empty_form(*, drafts: bool) -> None:
    made = crisis(drafts=drafts)
    seed = scene_of(made, BARE)
    failed = [failure_answer("annotate_scene", "", "red#1", "schema", "no")] if drafts else []
    assert owed(made, seed, *failed) == [("fill_scene", "human")]
    card = made.card(state_of(made, seed, failed), "fill_scene", "form")
    assert card is not None
    assert (card.why, card.input("problem").begins) == ("it is not filled in", "")


def test_the_form_says_what_is_wrong_with_it() -> None:
    made = crisis()
    card = made.card(state_of(made, scene_of(made, BARE), []), "fill_scene", "form")
    assert card is not None
    filled = {**FORM, "decision": "save", "reason": ""}
    assert card.check(filled) == ""
    assert "solution_week has 16 words" in card.check({**filled, "solution_week": "go " * 16})
    assert "give one" in card.check({"decision": "discard", "reason": ""})
    assert card.check({"decision": "discard", "reason": "no"}) == ""


def test_there_is_no_card_for_what_nobody_is_asked() -> None:
    made = crisis()
    state = state_of(made, scene_of(made, RECORDS[0]), [])
    bare = state_of(made, scene_of(made, BARE), [])
    for step, about in (("fill_scene", "form"), ("validate_scene", "form"), ("prefer_answer", "red")):
        assert made.card(state, step, about) is None
    assert made.card(bare, "validate_scene", "notes") is None
    assert made.card(bare, "fill_scene", "notes") is None


def test_a_class_that_the_panel_does_not_confirm_or_nobody_names_is_none() -> None:
    made = crisis()
    seed = scene_of(made, RECORDS[0])
    named = said("classify_resource", CLASS)
    votes = [said("check_resource", YES, f"{name}#1", "1") for name in ("red", "blue")]
    body = ending(made, seed, named, *votes).body
    assert isinstance(body, Scene)
    assert (body.resource_class, body.check and body.check.ratio) == ("water", "2/2")
    against = [said("check_resource", NO, f"{name}#1", "1") for name in ("red", "blue")]
    body = ending(made, seed, named, *against).body
    assert isinstance(body, Scene)
    assert body.resource_class == ""
    body = ending(made, seed, failure_answer("classify_resource", "", "red#1", "schema", "no")).body
    assert isinstance(body, Scene)
    assert (body.resource_class, body.check) == ("", None)


def test_a_checker_that_was_down_is_asked_again() -> None:
    made = crisis()
    seed = scene_of(made, RECORDS[0])
    named, down = said("classify_resource", CLASS), failure_answer("check_resource", "1", "red#1", UNAVAILABLE, "down")
    assert owed(made, seed, named, down) == [("check_resource", "blue")]
    found = made.plan(state_of(made, seed, [named]))  # its failure is withdrawn
    assert not isinstance(found, Ending)
    assert sorted((due.to, due.about) for due in found) == [("blue", "1"), ("red", "1")]


def test_what_experts_reject_is_left_out() -> None:
    made = crisis(experts=1.0)
    seed = scene_of(made, RECORDS[0])
    named = [said("classify_resource", CLASS)]
    named += [said("check_resource", YES, f"{name}#1", "1") for name in ("red", "blue")]
    assert owed(made, seed, *named) == [("validate_scene", "human")]
    card = made.card(state_of(made, seed, named), "validate_scene", "notes")
    assert card is not None
    assert any(one.content == "bring flour over by rowing boat" for one in card.shown)
    bad = said("validate_scene", {"decision": "reject", "reason": "harm"}, "human:eva", "notes")
    assert (ending(made, seed, *named, bad).cause, ending(made, seed, *named, bad).detail) == (
        "rejected by experts",
        "harm",
    )
