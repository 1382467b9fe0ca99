"""JSON Lines: one value a line, whoever reads them."""

import json

from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.jsonl import json_line, portable

# Half characters too: replies of models hold them.
TEXTS = st.text(st.characters() | st.sampled_from("\x7f\x85\u2028\u2029\ud83d\udcff\n\r\x0b\x0c\x1c"))


def test_a_value_is_one_line_without_blanks_in_utf_8_and_its_keys_are_in_order() -> None:
    assert json_line({"b": "é 北", "a": [1, None]}) == '{"a":[1,null],"b":"é 北"}\n'


def test_what_some_readers_take_for_the_end_of_a_line_is_escaped() -> None:
    assert json_line("a\u2028b\u2029c\x85d\x7f\n") == '"a\\u2028b\\u2029c\\u0085d\\u007f\\n"\n'


def test_half_a_character_becomes_the_sign_for_one_that_is_lost() -> None:
    assert portable('{"a":"x\ud83dy"}') == '{"a":"x\ufffdy"}'


@given(st.lists(TEXTS))
def test_any_values_come_back_line_by_line_and_no_character_moves(texts: list[str]) -> None:
    lines = "".join(map(json_line, texts)).encode().decode().splitlines()

    assert len(lines) == len(texts)
    for line, text in zip(lines, texts, strict=True):
        whole = "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in text)
        assert json.loads(line) == whole
