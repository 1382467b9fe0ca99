"""Faults come as often as they are asked for, the same each time, and never change what is said in the end."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.cli import Faults
from benchwright.domain.call import Message, Reply, Request
from benchwright.domain.campaign import Model
from benchwright.domain.filler import digest
from benchwright.drill.faults import KINDS, PROSE, Faulty
from benchwright.drill.provider import Answer, Loopback, Raw, completion
from benchwright.engine import outcome
from benchwright.errors import RateLimited, Rejected, Transient
from benchwright.llm.providers.direct import Direct
from benchwright.llm.replies import chat
from benchwright.llm.replies.repair import accept_reply
from benchwright.show.drill import SERVED

CHANCES = dict.fromkeys(("parse", "cut", "think"), 0.1) | dict.fromkeys(("refuse", "drop", "error", "hang"), 0.05)
CHANCES |= {"429": 0.3}
ROOM = 100  # tokens


def said(body: dict[str, Any]) -> dict[str, Any]:
    return completion(body, '{"said": "' + digest(body) + '"}')


def asked(text: str) -> dict[str, Any]:
    return {"model": "stub", "max_tokens": ROOM, "messages": [{"role": "user", "content": text}]}


def kind(answer: dict[str, Any] | Raw) -> str:
    """Which fault it is."""
    if isinstance(answer, Raw):
        known = {429: "429", 502: "error"} | dict.fromkeys((400, 403, 422), "refuse")
        return known.get(answer.status) or ("hang" if answer.wait else "drop")
    if answer["choices"][0]["finish_reason"] == "length":
        return "cut"
    if content(answer) == PROSE:
        return "parse"
    return "think" if "better look again" in str(answer) or content(answer) == "None" else "good"


def content(answer: dict[str, Any]) -> str:
    return str(answer["choices"][0]["message"]["content"])


def test_every_fault_is_told_in_words() -> None:
    assert SERVED.keys() == KINDS.keys() == Faults().chances.keys()


def test_each_fault_is_as_frequent_as_asked_for() -> None:
    faulty, times = Faulty(said, CHANCES, seed=1), 5000
    met = Counter(kind(faulty(asked(f"Q{n}"))) for n in range(times))
    assert met == faulty.served | Counter(good=met["good"])
    for name, chance in CHANCES.items():
        assert met[name] / times == pytest.approx(chance, abs=0.015)


def test_the_same_question_meets_the_same_faults_in_the_same_order_whatever_is_asked_between() -> None:
    def course(seed: int, *between: str) -> list[str]:
        faulty = Faulty(said, CHANCES, seed)
        return [kind([faulty(asked(text)) for text in (*between, f"Q{n}")][-1]) for n in range(20) for _ in range(4)]

    assert course(1) == course(1, "A", "B")
    assert course(1) != course(2)


def pursued(faulty: Faulty, body: dict[str, Any]) -> tuple[str, Counter[str]]:
    """What is said in the end to a client that asks again as ours does, and what it met."""
    met: Counter[str] = Counter()
    while (name := kind(answer := faulty(body))) != "good":
        met[name] += 1
        if name == "think":
            break
        if name == "cut":
            body = body | {"max_tokens": 2 * body["max_tokens"]}
        elif not isinstance(answer, Raw):
            shown = ({"role": "assistant", "content": content(answer)}, {"role": "user", "content": "Again, in JSON."})
            body = body | {"messages": [*body["messages"], *shown]}
    assert not isinstance(answer, Raw)
    return read(answer), met


def read(answer: dict[str, Any]) -> str:
    """What our client makes of a reply."""
    call = Request(Model("m", "direct", "stub"), (Message("user", ("Q",)),), {"type": "object"})
    return accept_reply(call, chat.reply(call, json.dumps(answer), 0.0))[0]


@settings(deadline=None)
@given(st.integers(0, 1000), st.lists(st.integers(1, 9), min_size=len(KINDS), max_size=len(KINDS)))
def test_whatever_a_question_meets_its_good_answer_is_the_same_and_within_reach(seed: int, weights: list[int]) -> None:
    chances = {name: weight / sum(weights) for name, weight in zip(KINDS, weights, strict=True)}
    faulty, sound = Faulty(said, chances, seed), Faulty(said, {})
    for text in ("one", "two", "three"):
        found, met = pursued(faulty, asked(text))
        assert found == pursued(sound, asked(text))[0]
        assert met["parse"] + met["cut"] <= 1
        assert met["drop"] + met["error"] + met["hang"] + met["refuse"] < outcome.REJECTIONS


async def ended(answer: Answer, seconds: float) -> Reply | Exception:
    """What a call of ours comes to."""
    async with Loopback(answer) as provider:
        model = Model("m", "direct", "stub", provider.url, timeout=seconds)
        direct = Direct(model)
        try:
            return await direct.ask(Request(model, (Message("user", ("Q",)),), {"type": "object"}))
        except (Transient, Rejected) as error:
            return error
        finally:
            await direct.aclose()


async def test_the_client_sees_each_fault_for_what_it_is() -> None:
    met = {name: await ended(Faulty(said, {name: 1.0}), 1 if name == "hang" else 30) for name in KINDS}
    limited, parse, cut = met["429"], met["parse"], met["cut"]
    assert isinstance(limited, RateLimited)
    assert limited.retry_after == 0.1
    assert isinstance(parse, Reply)
    assert (parse.text, parse.finish) == (PROSE, "stop")
    assert isinstance(cut, Reply)
    assert (cut.text[:9], cut.finish) == ('{"said": ', "length")
    assert isinstance(met["refuse"], Rejected)
    assert met["refuse"].cause == "refused"
    thought = met["think"]
    assert isinstance(thought, Reply)
    assert thought.text.strip().startswith('{"said": ')
    for name in ("drop", "error", "hang"):
        assert isinstance(met[name], Transient)
        assert not isinstance(met[name], RateLimited)
