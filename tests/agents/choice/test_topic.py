"""A topic's line in a prompt, and its name out of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.agents.choice.topic import topic_line, topic_name
from benchwright.agents.choice.wording import demand_topic_unnamed
from benchwright.errors import BadReply

names = st.text(min_size=1) | st.sampled_from(["HIV: testing", '"Flu"', 'a": b', ":", '":', "Ebola: a: b"])


@given(names, st.text())
def test_the_name_of_a_topic_comes_back_whole_whatever_it_holds(name: str, about: str) -> None:
    assert topic_name(topic_line(name, about)) == name


def test_a_plain_topic_stands_as_it_is() -> None:
    assert topic_line("Testing", "who: when") == "Testing: who: when"
    assert topic_line("Testing", "") == "Testing"


def test_a_question_may_hold_the_word_before_a_topics_colon_and_not_the_whole_name() -> None:
    line = topic_line("HIV: testing", "who is tested")
    demand_topic_unnamed("Where was HIV first found?", line, "Of HIV nothing more is known.")
    with pytest.raises(BadReply, match="names its topic"):
        demand_topic_unnamed("What did HIV testing cost?", line, "Of HIV nothing more is known.")
