"""Bodies as they are stored: those of this version, and those that an earlier one stored."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.bodies import inference, reconstruction

from benchwright.pipelines.choice.body import as_json, from_json

STORED: dict[str, Any] = json.loads(Path(__file__).with_name("bodies_of_0_1.json").read_text("utf-8"))


@pytest.mark.parametrize("name", STORED)
def test_a_body_stored_by_an_earlier_version_is_read_and_loses_nothing_but_what_the_question_said_beside(
    name: str,
) -> None:
    stored = STORED[name]
    question = {key: stored["question"][key] for key in ("question", "evidence")}

    assert as_json(from_json(stored)) == stored | {"question": question}


@pytest.mark.parametrize("made", [inference, reconstruction])
def test_a_body_is_the_same_after_it_was_stored(made: Any) -> None:
    body = from_json(made())

    assert from_json(json.loads(json.dumps(as_json(body)))) == body


def test_options_in_the_item_and_those_left_out_are_told_apart_under_the_names_that_they_had() -> None:
    body = from_json(STORED["recall"])
    reworded = next(option for option in body.options if option.replaces)

    assert [option.id for option in body.options_in_item] == list(body.order)
    assert {*body.options_in_item, *body.other_options} == {*body.options}
    assert reworded.replaces
    assert (reworded.text, reworded.replaces.text) == ("cedars", "cedar")
    assert reworded.name_before == reworded.replaces.id != reworded.id
    assert all(option.name_before == option.id for option in body.options if not option.replaces)


def test_what_is_no_body_is_refused() -> None:
    with pytest.raises(ValueError, match="question"):
        from_json({"options": []})
