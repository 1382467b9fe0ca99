"""Calls: what makes two of them the same."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.call import COUNT_MOST, Image, Message, Reply, Request, Usage, tokens
from benchwright.domain.campaign import Model

MODEL = Model("glm", "direct", "glm-4.5", "https://models.example/v1")
REQUEST = Request(
    MODEL, (Message("user", ("document", "task")),), {"type": "object"}, run=1, seed=42, step="check_option"
)


def test_a_message_shows_its_parts_apart() -> None:
    assert Message("user", ("document", "task")).content == "document\n\ntask"


@pytest.mark.parametrize(
    "same",
    [
        replace(REQUEST, model=replace(MODEL, name="other name", width=9, rpm=1, timeout=1.0, api_key_env="K")),
        replace(REQUEST, step="another role"),
        replace(REQUEST, accept=str.upper),
        replace(REQUEST, messages=(Message("user", ("document\n\ntask",)),)),
    ],
)
def test_names_limits_and_who_asks_leave_the_call_the_same(same: Request) -> None:
    assert same.id == REQUEST.id


@pytest.mark.parametrize(
    "change",
    [
        lambda r: replace(r, run=2),
        lambda r: replace(r, seed=1),
        lambda r: replace(r, schema={"type": "array"}),
        lambda r: replace(r, messages=(Message("system", ("document", "task")),)),
        lambda r: replace(r, messages=(*r.messages, Message("user", ("more",)))),
        lambda r: replace(r, model=replace(MODEL, target="glm-5")),
        lambda r: replace(r, model=replace(MODEL, provider="litellm")),
        lambda r: replace(r, model=replace(MODEL, base_url="https://other.example/v1")),
        lambda r: replace(r, model=replace(MODEL, temperature=1.0)),
        lambda r: replace(r, model=replace(MODEL, top_p=0.5)),
        lambda r: replace(r, model=replace(MODEL, max_tokens=1)),
        lambda r: replace(r, model=replace(MODEL, reply="text")),
    ],
)
def test_what_could_change_the_reply_is_another_call(change: Callable[[Request], Request]) -> None:
    assert change(REQUEST).id != REQUEST.id


def test_a_reply_counts_nothing_until_told() -> None:
    assert (Reply("x").usage, Reply("x").cost) == (Usage(0, 0, 0), None)


PHOTO = Image("ab" * 32, "image/png", 9)


def test_the_id_of_a_request_of_text_is_what_it_was_before_there_were_images() -> None:
    assert REQUEST.id == "93117df7c979ebf918b7317db8c6d972"


def test_an_image_counts_by_its_hash_and_by_its_place() -> None:
    def showing(*parts: str | Image) -> Request:
        return replace(REQUEST, messages=(Message("user", parts),))

    asked = showing("Which?", PHOTO)
    assert asked.messages[0].content == f"Which?\n\n[image/png sha256:{'ab' * 32}]"
    assert asked.messages[0].images == (PHOTO,)
    assert asked.id == showing("Which?", replace(PHOTO, size=0, media_type="image/x")).id
    others = [showing("Which?"), showing(PHOTO, "Which?"), showing("Which?", replace(PHOTO, hash="cd" * 32))]
    assert len({asked.id, *(other.id for other in others), showing(asked.messages[0].content).id}) == 5


@given(*[st.integers(-5, 20) | st.integers()] * 4)
def test_counts_that_cannot_be_are_no_counts(prompt: int, completion: int, cached: int, thinking: int) -> None:
    told = Usage(prompt, completion, cached, thinking)
    found = told.credible
    assert 0 <= found.cached <= found.prompt <= COUNT_MOST
    assert 0 <= found.completion <= COUNT_MOST
    assert 0 <= found.thinking <= COUNT_MOST
    assert found.credible == found
    if 0 <= cached <= prompt <= COUNT_MOST and all(0 <= count <= COUNT_MOST for count in (completion, thinking)):
        assert found == told


@given(st.text(st.characters()))
def test_the_estimate_of_tokens_grows_with_the_text_and_survives_half_characters(text: str) -> None:
    assert tokens(text) >= 1 + len(text) // 3
    assert tokens(text) <= tokens(text + "!")
