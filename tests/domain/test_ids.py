"""Names made from content."""

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.ids import canonical, content_id, seeded_random, seeded_shuffle

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def test_the_order_of_keys_does_not_change_a_name() -> None:
    assert content_id("call", {"a": 1, "b": [2]}) == content_id("call", {"b": [2], "a": 1})


def test_the_kind_is_part_of_a_name() -> None:
    assert content_id("item", "x") != content_id("option", "x")


def test_a_name_is_32_hexadecimal_digits_and_the_same_in_every_version() -> None:
    assert content_id("item", {"é": 1}) == "9f2bbd7004dd7ab6d6495b4b87e95b8e"


def test_canonical_text_has_no_spaces_and_keeps_every_letter() -> None:
    assert canonical({"b": "é 北", "a": [1, 2.5, None]}) == '{"a":[1,2.5,null],"b":"é 北"}'


@given(JSON, JSON)
def test_two_values_share_a_name_only_if_they_are_the_same(one: object, other: object) -> None:
    assert (content_id("kind", one) == content_id("kind", other)) == (canonical(one) == canonical(other))


def test_chance_depends_on_the_parts_alone_and_not_on_the_process() -> None:
    code = "from benchwright.domain.ids import seeded_random; print(seeded_random(42, 'item').random())"
    said = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env).stdout
        for env in ({"PYTHONHASHSEED": "1", "PYTHONPATH": "src"}, {"PYTHONHASHSEED": "2", "PYTHONPATH": "src"})
    }

    assert said == {f"{seeded_random(42, 'item').random()}\n"}


def test_parts_do_not_run_together() -> None:
    assert seeded_random("ab", "c").random() != seeded_random("a", "bc").random()


@given(st.lists(st.integers()), st.integers())
def test_a_shuffle_keeps_all_things_and_leaves_its_source_alone(things: list[int], part: int) -> None:
    before = list(things)

    assert sorted(seeded_shuffle(things, part)) == sorted(things)
    assert things == before
    assert seeded_shuffle(things, part) == seeded_shuffle(things, part)
