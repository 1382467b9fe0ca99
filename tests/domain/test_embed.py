"""Vectors: of unit length, the same bytes on any machine."""

from dataclasses import replace
from math import hypot, inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.call import Message
from benchwright.domain.campaign import Model
from benchwright.domain.embed import Embed, embed, pack, space, unpack

MODEL = Model("e", "direct", "embed-1", "https://models.example/v1")
numbers = st.floats(-1e300, 1e300).filter(lambda number: not 0 < abs(number) < 1e-290)


@given(st.lists(numbers, min_size=1, max_size=40).filter(any))
def test_a_vector_keeps_its_direction_and_has_length_one(given_numbers: list[float]) -> None:
    found = unpack(pack(given_numbers))
    assert hypot(*found) == pytest.approx(1, abs=1e-5)
    length = hypot(*given_numbers)
    assert list(found) == pytest.approx([number / length for number in given_numbers], abs=1e-6)


@pytest.mark.parametrize("odd", [[], [0.0, 0.0], [nan, 1.0], [inf, 1.0], [1e308] * 9])
def test_what_has_no_direction_is_no_vector(odd: list[float]) -> None:
    with pytest.raises(ValueError, match=f"a vector of {len(odd)} numbers has the length"):
        pack(odd)


def test_the_bytes_are_little_endian_floats() -> None:
    assert pack([0.0, 2.0]) == b"\0\0\0\0\0\0\x80\x3f"


def test_a_request_for_embeddings_is_named_by_its_texts_and_the_space_of_its_model() -> None:
    asked = embed(MODEL, ["one", "two"], "pool")
    assert (asked.texts, asked.step, asked.model.max_tokens) == (("one", "two"), "pool", 0)
    assert asked.id == embed(replace(MODEL, name="other", width=9), ["one", "two"], "x").id
    assert len({asked.id, embed(MODEL, ["two", "one"], "pool").id, embed(MODEL, ["one\n\ntwo"], "pool").id}) == 3
    assert space(MODEL) != space(replace(MODEL, target="embed-2"))
    assert Embed(MODEL, (Message("user", ("a",)), Message("user", ("b",))), {}).texts == ("a", "b")
