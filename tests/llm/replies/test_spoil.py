"""A model whose replies can never be used is given up early, with the reason and one of its replies."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from benchwright.domain.call import Message, Reply, Request
from benchwright.domain.campaign import Model
from benchwright.errors import BadReply, Refused, Transient, Unusable
from benchwright.llm.providers.scripted import Scripted
from benchwright.llm.replies.repair import Repair
from benchwright.llm.replies.spoil import SHOWN, WINDOW, Spoil

MODEL = Model("m", "direct", "stub", base_url="http://127.0.0.1:9/v1")
BAD = "Sure!\x1b[31m Here is the \ud800 answer"


def request(n: int = 0, model: Model = MODEL) -> Request:
    return Request(model, (Message("user", (f"Q{n}",)),), {})


def saying(answer: Callable[[Request], str | Reply | Exception]) -> Spoil:
    return Spoil(Repair(Scripted(answer)))


async def bad(llm: Spoil, times: int, model: Model = MODEL) -> None:
    for n in range(times):
        with pytest.raises(BadReply):
            await llm.ask(request(n, model))


async def test_twenty_unusable_replies_in_a_row_are_the_end_and_one_is_shown_harmless() -> None:
    llm = saying(lambda _: BAD)
    await bad(llm, WINDOW - 1)
    with pytest.raises(Unusable, match=r"^model 'm': 20 of 20 replies did not parse \(no_json 20\)\.") as caught:
        await llm.ask(request(99))
    message = str(caught.value)
    assert "'Sure!\\x1b[31m Here is the \\ud800 answer'" in message
    assert "--accept-changes" in message
    with pytest.raises(Unusable, match="20 of 20"):  # what was in flight
        await llm.ask(request(100))


async def test_the_causes_are_counted_and_a_long_reply_is_cut() -> None:
    said: Iterator[str] = iter(["", "", *["x" * 9 * SHOWN] * 99])
    llm = Spoil(Repair(Scripted(lambda _: next(said)), turns=0))
    await bad(llm, WINDOW - 1)
    with pytest.raises(Unusable, match=r"\(no_json 18, empty 2\)") as caught:
        await llm.ask(request())
    assert "x" * SHOWN + "'…" in str(caught.value)
    assert len(str(caught.value)) < 2 * SHOWN + 300


async def test_one_usable_reply_clears_the_model() -> None:
    good = {19, 39}
    llm = saying(lambda asked: "{}" if int(asked.messages[0].content[1:]) in good else BAD)
    for n in range(WINDOW * 2 + WINDOW - 1):
        if n in good:
            assert (await llm.ask(request(n))).text == "{}"
        else:
            with pytest.raises(BadReply):
                await llm.ask(request(n))


@pytest.mark.parametrize("other", [Refused("no"), Transient("gone")])
async def test_refusals_and_failed_calls_say_nothing_about_it(other: Exception) -> None:
    llm = saying(lambda asked: other if asked.messages[0].content == "Q50" else BAD)
    await bad(llm, WINDOW - 1)
    with pytest.raises(type(other)):
        await llm.ask(request(50))
    with pytest.raises(Unusable):
        await llm.ask(request())


async def test_each_model_is_judged_by_itself() -> None:
    llm = saying(lambda _: BAD)
    for name in ("a", "b", "c"):
        await bad(llm, WINDOW - 1, replace(MODEL, name=name))


async def test_where_bad_replies_are_findings_none_is_too_many_and_a_good_one_clears_nobody() -> None:
    said: Iterator[str] = iter([BAD] * 4 * WINDOW + ["{}"] + [BAD] * 99)
    llm = saying(lambda _: next(said))
    for n in range(2 * WINDOW):
        with pytest.raises(BadReply):
            await llm.ask(replace(request(n), finding=True))
    await llm.ask(replace(request(), finding=True))
    await bad(llm, WINDOW - 1)
    with pytest.raises(Unusable):
        await llm.ask(request(99))
