"""Anthropic's Message Batches against a real server on loopback; litellm translates, from the installed package."""

import json
from base64 import b64encode
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import pytest
from tests.batch_stub import BatchStub, message
from tests.contracts.llm import fault, question
from tests.stub import Raw

from benchwright.domain.batch import OpenBatch
from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Model
from benchwright.domain.image import image_of
from benchwright.errors import BadKey, BadRequest, BenchwrightError, RateLimited, Transient
from benchwright.llm.batch.anthropic import Anthropic
from benchwright.llm.batch.api import Outcome, Progress
from benchwright.llm.batch.service import service
from benchwright.llm.images import ImageService
from benchwright.llm.providers.hosted import library

PNG = b"\x89PNG\r\n\x1a\n a picture"
KEY = "sk-ant-very-secret-0123456789"
MODEL = Model("c", "litellm", "anthropic/claude-opus-4-1", api_key_env="STUB_KEY")

pytestmark = [
    pytest.mark.filterwarnings("default"),  # litellm's own
    pytest.mark.skipif(find_spec("litellm") is None, reason="litellm is not installed"),
]


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_KEY", KEY)
    library(MODEL)  # outside of the time that a test may take


def asked(model: Model, count: int = 3) -> dict[str, Request]:
    return {one.id: one for one in (question(model, n) for n in range(count))}


def our(rows: dict[str, Request], stub: BatchStub, remote: str = "") -> OpenBatch:
    at = min((batch.at for batch in stub.taken.values()), default=0.0)
    return OpenBatch("ours", "c", at, at + 86_400, {call: one.model.name for call, one in rows.items()}, remote)


async def through(api: Anthropic, rows: dict[str, Request], stub: BatchStub) -> dict[str, Outcome]:
    """Hand a batch in, wait for its end, collect it."""
    progress: Progress = await api.submit("ours", rows)
    while not progress.ended:
        progress = await api.look(our(rows, stub, progress.remote))
    return await api.results(progress, {call: one.model for call, one in rows.items()})


def api_at(stub: BatchStub, **settings: Any) -> Anthropic:
    found = service(replace(MODEL, base_url=stub.root, **settings))
    assert isinstance(found, Anthropic)
    return found


async def collected(stub: BatchStub, count: int = 3, **settings: Any) -> dict[str, Outcome]:
    api = api_at(stub, **settings)
    found = await through(api, asked(replace(MODEL, base_url=stub.root, **settings), count), stub)
    await api.aclose()
    return found


def tool(value: dict[str, Any], name: str) -> dict[str, Any]:
    use = {"type": "tool_use", "id": "t", "name": name, "input": value}
    return message("", "tool_use", content=[use])


async def test_what_goes_out_is_what_litellm_would_send() -> None:
    async with BatchStub(lambda _: message('{"n": 1}')) as stub:
        await collected(stub)
        [batch] = stub.taken.values()
    assert {header["x-api-key"] for header in stub.headers} == {KEY}
    assert {header["anthropic-version"] for header in stub.headers} == {"2023-06-01"}
    assert "authorization" not in stub.headers[0]
    body = batch.rows[0][1]
    assert (body["model"], body["max_tokens"]) == ("claude-opus-4-1", 1024)
    assert body["tool_choice"] == {"name": "json_tool_call", "type": "tool"}
    assert body["tools"][0]["input_schema"]["required"] == ["n"]
    assert not {"json_mode", "stream", "seed", "response_format"} & body.keys()


async def test_a_model_that_takes_a_schema_gets_it_with_the_header_that_this_needs() -> None:
    async with BatchStub(lambda _: message('{"n": 1}')) as stub:
        await collected(stub, target="anthropic/claude-sonnet-4-5")
        [batch] = stub.taken.values()
    assert batch.rows[0][1]["output_format"]["type"] == "json_schema"
    assert "structured-outputs" in stub.headers[0]["anthropic-beta"]


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        (message('{"n": 1}'), Reply('{"n": 1}')),
        (tool({"n": 1}, "json_tool_call"), Reply('{"n": 1}')),
        (message('{"n"', "max_tokens"), Reply('{"n"', finish="length")),
        (
            message(
                "",
                content=[
                    {"type": "thinking", "thinking": "one", "signature": "s"},
                    {"type": "text", "text": '{"n": 1}'},
                ],
            ),
            Reply('{"n": 1}', "one"),
        ),
        (message("", "refusal"), Reply("", finish="filtered")),
        (message("a\ud800b"), Reply("a\ufffdb")),
    ],
    ids=["text", "tool", "cut", "thinking", "refusal", "lone surrogate"],
)
async def test_a_message_comes_back_as_the_call_would_have(said: dict[str, Any], reply: Reply) -> None:
    async with BatchStub(lambda _: said) as stub:
        found = await collected(stub)
    assert len(found) == 3
    for one in found.values():
        assert isinstance(one, Reply)
        assert (one.text, one.reasoning, one.finish) == (reply.text, reply.reasoning, reply.finish)
        assert (one.usage.prompt, one.usage.completion) == (40, 7)


async def test_the_arguments_of_a_tool_that_the_campaign_asked_for_are_the_reply() -> None:
    async with BatchStub(lambda _: tool({"n": 1}, "answer")) as stub:
        found = await collected(stub, 1, reply="tool")
    [reply] = found.values()
    assert isinstance(reply, Reply)
    assert reply.text.replace(" ", "") == '{"n":1}'


def errored(kind: str, text: str) -> dict[str, Any]:
    return {"type": "errored", "error": {"type": "error", "error": {"type": kind, "message": text}}}


ROWS: dict[str, tuple[dict[str, Any], type[BenchwrightError], str]] = {
    "bad request": (errored("invalid_request_error", "bad field"), BadRequest, "bad field"),
    "too long": (errored("invalid_request_error", "prompt is too long"), BadRequest, "longer than"),
    "key": (errored("authentication_error", "no"), BadKey, "does not accept"),
    "overloaded": (errored("overloaded_error", "busy"), RateLimited, "busy"),
    "their fault": (errored("api_error", "boom"), Transient, "boom"),
    "a new kind": (errored("new_error", "what"), Transient, "what"),
    "no error": ({"type": "errored"}, Transient, "failed"),
    "expired": ({"type": "expired"}, Transient, "was expired in its batch"),
    "canceled": ({"type": "canceled"}, Transient, "was canceled in its batch"),
    "no message": ({"type": "succeeded"}, Transient, "a strange message"),
    "strange message": ({"type": "succeeded", "message": {"content": 7}}, Transient, "a strange message"),
    "an error as message": ({"type": "succeeded", "message": {"error": "no"}}, Transient, "a strange message"),
}


@pytest.mark.parametrize(("said", "kind", "text"), ROWS.values(), ids=ROWS.keys())
async def test_a_row_that_failed_has_the_error_that_the_call_would_have_had(
    said: dict[str, Any], kind: type[BenchwrightError], text: str
) -> None:
    async with BatchStub(lambda _: said) as stub:
        [outcome] = (await collected(stub, 1)).values()
    assert isinstance(outcome, BenchwrightError)
    assert isinstance(fault(outcome), kind)
    assert text in str(outcome)


async def test_a_damaged_line_harms_only_its_row_and_the_first_of_two_counts() -> None:
    async with BatchStub(lambda _: message('{"n": 1}')) as stub:
        stub.mangle = lambda lines: [lines[2], lines[1][:50], lines[0], lines[0].replace("succeeded", "expired"), "[]"]
        api = api_at(stub)
        rows = asked(replace(MODEL, base_url=stub.root))
        found = await through(api, rows, stub)
        await api.aclose()
    first, _, third = rows
    assert found.keys() == {first, third}
    assert all(isinstance(one, Reply) for one in found.values())


async def test_a_batch_is_found_by_the_calls_in_its_results_since_it_bears_no_name() -> None:
    async with BatchStub(lambda _: message('{"n": 1}')) as stub:
        api, model = api_at(stub), replace(MODEL, base_url=stub.root)
        rows, others = asked(model), asked(replace(model, temperature=0.5))
        assert await api.find(our(rows, stub)) is None
        await api.submit("x", others)
        await api.submit("x", asked(model, 2))
        stub.deaf = 1
        with pytest.raises(Transient):
            await api.submit("ours", rows)
        await api.submit("x", asked(model, 2))
        with pytest.raises(Transient, match="batch_2 may be ours; its results will tell"):
            await api.find(our(rows, stub))
        stub.looks = 0  # all have ended
        found = await api.find(our(rows, stub))
        assert found
        assert (found.remote, found.ended, found.done) == ("batch_2", True, 3)
        never = {one.id: one for one in (question(replace(model, temperature=0.9), n) for n in range(3))}
        assert await api.find(our(never, stub)) is None
        late = replace(our(rows, stub), at=our(rows, stub).at + 7200)
        stub.paths.clear()
        assert await api.find(late) is None
        assert len(stub.paths) == 1  # older ones are not looked through
        await api.aclose()


async def test_a_key_that_is_not_accepted_is_told_before_the_run() -> None:
    async with BatchStub() as stub:
        api = api_at(stub)
        await api.ready()
        stub.faults["GET /messages/batches"] = [Raw(401, f'{{"error": {{"message": "invalid {KEY}"}}}}')]
        with pytest.raises(BadKey, match=r"invalid \[key\]"):
            await api.ready()
        await api.aclose()


def test_a_model_is_found_where_its_variables_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_BASE", raising=False)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    found = service(MODEL)
    assert isinstance(found, Anthropic)
    assert found.wire.base == "https://api.anthropic.com"
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9/v1/")
    found = service(MODEL)
    assert isinstance(found, Anthropic)
    assert found.wire.base == "http://127.0.0.1:9"


async def test_images_go_into_a_batch_when_it_is_handed_in() -> None:
    class Album:
        async def image(self, name: str) -> bytes:
            return PNG

    async with BatchStub() as stub:
        api = ImageService(api_at(stub), Album())
        request = question(replace(MODEL, base_url=stub.root), 1)
        turn = replace(request.messages[-1], parts=(image_of(PNG), *request.messages[-1].parts))
        request = replace(request, messages=(*request.messages[:-1], turn))
        await api.submit("ours", {request.id: request})
        (batch,) = stub.taken.values()
        sent = json.dumps(batch.rows)
        await api.aclose()
    assert b64encode(PNG).decode() in sent
    assert '"media_type": "image/png"' in sent
