"""Who serves a model, whether it can be reached, and the one chain to all of them."""

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.stub import Raw, Stub, completion

from benchwright.domain.call import Message, Reply, Request
from benchwright.domain.campaign import Budget, Model
from benchwright.domain.image import image_of
from benchwright.errors import BadReply, ConfigError, RateLimited
from benchwright.llm.catalogue import chain, probe, provider
from benchwright.llm.providers.direct import Direct
from benchwright.llm.providers.hosted import Hosted
from benchwright.llm.providers.local import Local

DIRECT = Model("m", "direct", "stub", base_url="http://127.0.0.1:9/v1", timeout=5.0)
HOSTED = Model("h", "litellm", "openai/gpt-4o-mini")
LOCAL = Model("l", "local", "smollm2")
PNG = b"\x89PNG\r\n\x1a\n a picture"
PHOTO = image_of(PNG)


def whole(text: str) -> str:
    if "n" not in json.loads(text):
        raise BadReply("n is missing", cause="schema")
    return text


def request(model: Model, text: str = "Q") -> Request:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    return Request(model, (Message("user", (text,)),), schema, accept=whole)


class Notes:
    """A record in memory."""

    def __init__(self) -> None:
        self.replies: dict[str, Reply] = {}
        self.kinds: list[str] = []

    async def find(self, request: Request) -> Reply | None:
        return self.replies.get(request.id)

    async def begin(self, request: Request) -> None:
        self.kinds.append("intend")

    async def settle(self, request: Request, reply: Reply) -> None:
        self.replies[request.id] = reply
        self.kinds.append("settle")

    async def fail(self, request: Request, error: str) -> None:
        self.kinds.append("fail")

    async def disown(self, calls: Sequence[str], reason: str) -> None:
        for call in calls:
            del self.replies[call]

    async def image(self, name: str) -> bytes:
        return PNG

    async def vectors(self, space: str, texts: Sequence[str]) -> dict[str, bytes]:
        return {}


def test_each_entry_has_its_provider_and_making_it_loads_nothing() -> None:
    assert isinstance(provider(LOCAL), Local)
    assert isinstance(provider(DIRECT), Direct)
    assert isinstance(provider(HOSTED), Hosted)


async def test_the_chain_repairs_records_and_prices_and_an_identical_question_costs_nothing() -> None:
    def answer(body: dict[str, Any]) -> dict[str, Any]:
        return completion(body, '{"n": 7}' if len(body["messages"]) > 1 else "seven")

    notes = Notes()
    async with Stub(answer) as stub:
        model = replace(DIRECT, base_url=stub.url, price_in=1.0, price_out=1.0)
        llm = chain(notes, {"m": model})
        reply = await llm.ask(request(model))
        assert await llm.ask(request(model)) == reply
        await llm.aclose()
        assert len(stub.seen) == 2
    assert reply.text == '{"n": 7}'
    assert reply.cost == pytest.approx(reply.usage.prompt / 1e6 + reply.usage.completion / 1e6)
    assert reply.call in notes.replies
    assert notes.kinds == ["intend", "settle", "intend", "settle"]


async def test_the_chain_asks_the_model_that_the_request_names() -> None:
    async with Stub() as one, Stub() as two:
        models = {"a": replace(DIRECT, name="a", base_url=one.url), "b": replace(DIRECT, name="b", base_url=two.url)}
        llm = chain(Notes(), models)
        await llm.ask(request(models["a"]))
        await llm.ask(request(models["b"], "Q1"))
        await llm.ask(request(models["b"], "Q2"))
        await llm.aclose()
        assert (len(one.seen), len(two.seen)) == (1, 2)


async def test_a_providers_failure_goes_back_to_the_queue_at_once() -> None:
    notes = Notes()
    async with Stub(lambda _: Raw(429)) as stub:
        model = replace(DIRECT, base_url=stub.url)
        llm = chain(notes, {"m": model})
        with pytest.raises(RateLimited):
            await llm.ask(request(model))
        await llm.aclose()
        assert len(stub.seen) == 1
    assert notes.kinds == ["intend", "fail"]


async def test_probing_an_endpoint_asks_for_its_list_and_for_nothing_that_is_paid() -> None:
    async with Stub() as stub:
        good = await probe(replace(DIRECT, base_url=stub.url))
        bad = await probe(replace(DIRECT, base_url=stub.url, target="gpt-9"))
        assert stub.seen == []
    assert good.ok
    assert good.message == f"{stub.url} answers and serves stub"
    assert (good.warning, bad.ok, bad.warning) == (False, True, True)
    assert bad.message == f"{stub.url} answers, but does not list 'gpt-9'; it has other, stub"


LISTS: dict[str, tuple[Any, str, bool]] = {
    "names": (["stub"], "stub", False),
    "a bare list": ([{"id": "stub"}], "stub", False),
    "Ollama's own": ({"models": [{"name": "stub:latest", "model": "stub:latest"}]}, "stub", False),
    "a tag": ({"data": [{"id": "stub:8b"}]}, "stub", False),
    "the latest": ({"data": [{"id": "stub"}]}, "stub:latest", False),
    "a pattern": ({"data": [{"id": "openai/*"}]}, "openai/stub", False),
    "any": ({"data": [{"id": "*"}]}, "stub", False),
    "an owner": ({"data": [{"id": "models/stub"}]}, "stub", False),
    "nothing": ({"data": []}, "stub", False),
    "another form": ({"object": "page"}, "stub", False),
    "odd entries": ([7, None, {"id": None}], "stub", False),
    "a page": (Raw(200, "<html>"), "stub", True),
    "a failure": (Raw(500, "boom"), "stub", True),
    "a redirect": (Raw(302, "", {"location": "/login"}), "stub", False),
    "no right to list": (Raw(403, "not for this key"), "stub", True),
    "no scope": (Raw(401, "You have insufficient permissions. Missing scopes: api.model.read"), "stub", True),
}


@pytest.mark.parametrize(("answer", "target", "warns"), LISTS.values(), ids=LISTS.keys())
async def test_a_list_of_models_in_any_form_stops_nothing(answer: Any, target: str, warns: bool) -> None:
    class Listing(Stub):
        def list_models(self) -> dict[str, Any] | Raw:
            return answer if isinstance(answer, Raw) else Raw(200, json.dumps(answer))

    async with Listing() as stub:
        found = await probe(replace(DIRECT, base_url=stub.url, target=target))
    assert (found.ok, found.warning) == (True, warns), found.message


async def test_a_wrong_key_is_found_before_the_run() -> None:
    class Locked(Stub):
        def list_models(self) -> Raw:
            return Raw(401, "Incorrect API key provided")

    async with Locked() as stub:
        assert not (await probe(replace(DIRECT, base_url=stub.url))).ok


@pytest.mark.parametrize("busy", [Raw(429, "slow down", {"retry-after": "0"}), Raw(402, "insufficient credit")])
async def test_an_endpoint_that_wants_no_more_calls_now_can_be_used_later(busy: Raw) -> None:
    class Busy(Stub):
        def list_models(self) -> Raw:
            return busy

    async with Busy() as stub:
        found = await probe(replace(DIRECT, base_url=stub.url))
    assert found.ok
    assert found.message.startswith(f"{stub.url} answers, but wants no more calls now: ")


async def test_an_endpoint_that_keeps_no_list_passes_and_one_that_is_not_there_does_not() -> None:
    class Plain(Stub):
        def list_models(self) -> Raw:
            return Raw(404, "no such page")

    async with Plain() as stub:
        found = await probe(replace(DIRECT, base_url=stub.url))
    assert (found.ok, found.message) == (True, f"{stub.url} answers, but lists no models")
    gone = await probe(DIRECT)
    assert not gone.ok
    assert "the connection failed" in gone.message


async def test_probing_under_a_cap_in_money_finds_a_missing_price() -> None:
    async with Stub() as stub:
        model = replace(DIRECT, base_url=stub.url)
        assert not (await probe(model, Budget(usd=1.0))).ok
        assert (await probe(model, Budget(tokens=1))).ok
        assert (await probe(replace(model, price_in=0.0, price_out=0.0), Budget(usd=1.0))).ok


async def test_probing_finds_a_missing_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_KEY", raising=False)
    for model in (DIRECT, HOSTED):
        found = await probe(replace(model, api_key_env="NO_KEY"))
        assert (found.name, found.ok) == (model.name, False)
        assert "NO_KEY is not set" in found.message


async def test_an_endpoint_that_is_still_loading_is_given_a_moment() -> None:
    class Loading(Stub):
        looks = 0

        def list_models(self) -> dict[str, Any] | Raw:
            self.looks += 1
            return Raw(503, "loading the model") if self.looks < 3 else super().list_models()

    async with Loading() as stub:
        found = await probe(replace(DIRECT, base_url=stub.url))
    assert found.ok, found.message


async def test_a_provider_gets_the_bytes_of_images_which_nobody_before_it_holds() -> None:
    asked = Request(DIRECT, (Message("user", ("Look:", PHOTO, "Which?")),), {}, accept=str)
    async with Stub(lambda body: {"choices": [{"message": {"content": "{}"}}]}) as stub:
        model = replace(DIRECT, base_url=stub.url)
        llm = chain(Notes(), {"m": model})
        await llm.ask(replace(asked, model=model))
        await llm.aclose()
    assert stub.seen[0]["messages"][0]["content"] == [
        {"type": "text", "text": "Look:"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{b64encode(PNG).decode()}"}},
        {"type": "text", "text": "Which?"},
    ]


async def test_an_image_is_not_shown_to_a_model_that_takes_none_and_nothing_is_recorded_or_paid() -> None:
    notes = Notes()
    for model in (LOCAL, replace(DIRECT, images=False)):
        asked = Request(model, (Message("user", (PHOTO,)),), {}, step="look")
        with pytest.raises(ConfigError, match="takes no images, and 'look' shows it some"):
            await chain(notes, {model.name: model}).ask(asked)
    with pytest.raises(ConfigError, match="takes no images"):
        await Local(LOCAL).ask(replace(asked, model=LOCAL))
    assert notes.kinds == []
    found = await probe(LOCAL, images=True)
    assert not found.ok
    assert "takes no images" in found.message
