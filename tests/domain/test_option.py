"""Options and their names."""

from benchwright.domain.option import CORRECT, DISTRACTOR, Option, option_id, texts


def test_an_option_is_named_by_its_claim_and_its_text() -> None:
    assert option_id(CORRECT, "41 people") == option_id(CORRECT, "41 people")
    assert option_id(CORRECT, "41 people") != option_id(DISTRACTOR, "41 people")
    assert option_id(CORRECT, "41 people") != option_id(CORRECT, "23 people")
    assert len(option_id(CORRECT, "41 people")) == 12


def test_texts_are_listed_in_the_options_order() -> None:
    options = [Option(name, CORRECT, name.upper(), "", (), 0) for name in "ba"]

    assert texts(options) == ("B", "A")
