"""Prompts of which an endpoint reads a part only: a warning, and an end where it is certain."""

import pytest

from benchwright.domain.call import Message, Reply, Request, Usage
from benchwright.domain.campaign import Model
from benchwright.errors import BadRequest
from benchwright.llm.cutting import CERTAIN, Cutting, least_tokens
from benchwright.llm.providers.scripted import Scripted

MODEL = Model("m", "direct", "stub", base_url="http://127.0.0.1:9/v1")


def request(words: int, name: str = "", model: Model = MODEL) -> Request:
    return Request(model, (Message("user", (f"{name} " + "cholera " * words,)),), {})


def counting(*counts: int) -> tuple[Cutting, list[str]]:
    left, said = list(counts), list[str]()
    return Cutting(Scripted(lambda _: Reply("yes", usage=Usage(left.pop(0), 1))), said.append), said


async def test_prompts_that_are_always_cut_at_the_same_place_stop_the_run_after_a_warning() -> None:
    way, said = counting(*[400] * CERTAIN)
    for number in range(CERTAIN - 1):
        await way.ask(request(1200 + number, str(number)))
    with pytest.raises(BadRequest, match=r"counted 400 tokens of a prompt of at least 1\d+.*OLLAMA_CONTEXT_LENGTH"):
        await way.ask(request(1700, "last"))
    assert len(said) == 1
    assert "it seems to cut prompts" in said[0]


async def test_an_endpoint_that_counts_only_what_was_in_no_cache_is_warned_about_and_goes_on() -> None:
    way, said = counting(1800, *[300] * 9)
    for number in range(10):
        await way.ask(request(1000, str(number)))
    assert len(said) == 1


async def test_the_same_prompt_again_makes_nothing_more_certain() -> None:
    way, _ = counting(*[400] * 9)
    for _ in range(9):
        await way.ask(request(1200))


SOUND: dict[str, tuple[int, Request]] = {
    "counted in full": (1300, request(1000)),
    "one token for each word": (1000, request(1000)),
    "not counted": (0, request(1000)),
    "too short to tell": (5, request(200)),
    "the embedded model": (5, request(1000, model=Model("m", "local", "smollm2"))),
}


@pytest.mark.parametrize(("count", "asked"), SOUND.values(), ids=SOUND.keys())
async def test_what_shows_no_cut_is_not_warned_about(count: int, asked: Request) -> None:
    way, said = counting(count)
    await way.ask(asked)
    assert not said


def test_a_script_without_blanks_is_measured_by_its_bytes() -> None:
    assert least_tokens(Request(MODEL, (Message("user", ("病" * 1000,)),), {})) == 300
    assert least_tokens(request(1000)) == 1000
