"""Options and their names."""

from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR, option_id


def test_an_option_is_named_by_its_claim_and_its_text() -> None:
    assert option_id(CORRECT, "41 people") == option_id(CORRECT, "41 people")
    assert option_id(CORRECT, "41 people") != option_id(DISTRACTOR, "41 people")
    assert option_id(CORRECT, "41 people") != option_id(CORRECT, "23 people")
    assert len(option_id(CORRECT, "41 people")) == 12
