"""OpenAI's batch API against a real server on loopback: what goes out, what comes back, and every way to fail."""

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import pytest
from tests.batch_stub import BatchStub
from tests.contracts.llm import fault, question
from tests.stub import Answer, Raw, completion, fit_schema

from benchwright.domain.batch import OpenBatch
from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Model
from benchwright.errors import (
    BadKey,
    BadRequest,
    BenchwrightError,
    ConfigError,
    RateLimited,
    Rejected,
    Transient,
    UnknownModel,
)
from benchwright.llm.batch.api import Outcome, Progress, Service
from benchwright.llm.batch.openai import OpenAi
from benchwright.llm.batch.service import service
from benchwright.llm.catalogue import probe
from benchwright.llm.replies import chat

KEY = "sk-very-secret-0123456789"
DIRECT = Model("m", "direct", "stub")
HOSTED = Model("h", "litellm", "openai/gpt-4o", api_key_env="STUB_KEY")
NEEDS_LITELLM = pytest.mark.skipif(find_spec("litellm") is None, reason="litellm is not installed")


def asked(model: Model, count: int = 4) -> dict[str, Request]:
    return {one.id: one for one in (question(model, n) for n in range(count))}


def open_batch(rows: dict[str, Request], stub: BatchStub, remote: str = "") -> OpenBatch:
    at = next((batch.at for batch in stub.taken.values()), 0.0)
    return OpenBatch("ours", "m", at, at + 86_400, {call: one.model.name for call, one in rows.items()}, remote)


async def through(api: Service, rows: dict[str, Request], name: str = "ours") -> tuple[Progress, dict[str, Outcome]]:
    """Hand a batch in, wait for its end, collect it."""
    progress = await api.submit(name, rows)
    while not progress.ended:
        progress = await api.look(OpenBatch(name, "m", 0.0, 0.0, {}, progress.remote))
    found = await api.results(progress, {call: one.model for call, one in rows.items()})
    return progress, dict(found)


async def collected(stub: BatchStub, rows: dict[str, Request]) -> dict[str, Outcome]:
    api = service(next(iter(rows.values())).model)
    _, found = await through(api, rows)
    await api.aclose()
    return found


async def test_what_goes_out_is_a_file_of_calls_and_a_batch_that_bears_our_name() -> None:
    async with BatchStub() as stub:
        model = replace(DIRECT, base_url=stub.url)
        rows = asked(model)
        await collected(stub, rows)
        [batch] = stub.taken.values()
    assert batch.rows == [(call, chat.body(one)) for call, one in rows.items()]
    assert batch.metadata == {"benchwright": "ours"}
    assert stub.paths[:2] == ["POST /v1/files", "POST /v1/batches"]
    line = json.loads(stub.files["file-0"].split(b"\n")[0])
    assert (line["method"], line["url"]) == ("POST", "/v1/chat/completions")


async def test_every_row_comes_back_as_the_call_would_have() -> None:
    async with BatchStub() as stub:
        rows = asked(replace(DIRECT, base_url=stub.url))
        stub.mangle = lambda lines: list(reversed(lines))
        found = await collected(stub, rows)
    assert found.keys() == rows.keys()
    for call, one in rows.items():
        reply = found[call]
        assert isinstance(reply, Reply)
        wanted = chat.reply(one, json.dumps(fit_schema(chat.body(one))), 0.0)
        assert replace(reply, call=call) == wanted


@NEEDS_LITELLM
@pytest.mark.filterwarnings("default")
async def test_hosted_models_go_the_same_way_in_the_names_that_litellm_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_KEY", KEY)
    async with BatchStub() as stub:
        rows = asked(replace(HOSTED, base_url=stub.url)) | asked(
            replace(HOSTED, name="new", target="openai/gpt-5", base_url=stub.url), 1
        )
        found = await collected(stub, rows)
        bodies = [body for _, body in stub.taken["batch_0"].rows]
    assert all(isinstance(reply, Reply) for reply in found.values())
    assert {header["authorization"] for header in stub.headers} == {f"Bearer {KEY}"}
    assert bodies[0]["model"] == "gpt-4o"
    assert bodies[0]["max_tokens"] == 1024
    assert bodies[0]["response_format"]["json_schema"]["strict"] is True
    assert bodies[-1]["max_completion_tokens"] == 1024
    assert not {"stream", "extra_body", "json_mode", "temperature"} & bodies[-1].keys()


@NEEDS_LITELLM
def test_a_hosted_model_is_found_where_its_variables_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_BASE", raising=False)
    found = service(HOSTED)
    assert isinstance(found, OpenAi)
    assert found.wire.base == "https://api.openai.com/v1"
    monkeypatch.setenv("OPENAI_API_BASE", "http://127.0.0.1:9/v1/")
    found = service(HOSTED)
    assert isinstance(found, OpenAi)
    assert found.wire.base == "http://127.0.0.1:9/v1"
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(BadKey, match="OPENAI_API_KEY is not set"):
        service(replace(HOSTED, api_key_env=""))


def test_who_takes_no_batches_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"'g': gemini takes no batches; take batch = true off"):
        service(Model("g", "litellm", "gemini/gemini-2.5-pro"))


async def test_a_host_with_newer_names_is_asked_by_them() -> None:
    model = Model("m", "direct", "gpt-5", base_url="https://api.openai.com/v1", max_tokens=9)
    found = service(model)
    assert isinstance(found, OpenAi)
    body = found.body(question(model, 1))
    await found.aclose()
    assert body["max_completion_tokens"] == 9
    assert "max_tokens" not in body


# ------------------------------------------------------------------------------------------------------------- rows


def error(message: str, **more: Any) -> str:
    return json.dumps({"error": {"message": message, **more}})


ROWS: dict[str, tuple[Answer, type[BenchwrightError], str]] = {
    "400": (lambda _: Raw(400, error("bad field")), BadRequest, "bad field"),
    "filter": (lambda _: Raw(400, error("x", code="content_filter")), Rejected, "content filter"),
    "429": (lambda _: Raw(429, error("slow down")), RateLimited, "fewer requests"),
    "500": (lambda _: Raw(500, error("boom")), Transient, "boom"),
    "an error in the body": (lambda _: {"error": {"message": "upstream died"}}, Transient, "upstream died"),
    "no choice": (lambda body: {"choices": []}, Transient, "not of the form expected"),
}


@pytest.mark.parametrize(("answer", "kind", "message"), ROWS.values(), ids=ROWS.keys())
async def test_a_row_that_failed_has_the_error_that_the_call_would_have_had(
    answer: Answer, kind: type[BenchwrightError], message: str
) -> None:
    async with BatchStub(answer) as stub:
        found = await collected(stub, asked(replace(DIRECT, base_url=stub.url), 1))
    [outcome] = found.values()
    assert isinstance(outcome, BenchwrightError)
    assert type(fault(outcome)) is kind
    assert message in str(outcome)


async def test_a_refusal_is_a_reply_that_was_paid_for() -> None:
    async with BatchStub(lambda body: completion(body, None, refusal="I can't.")) as stub:
        found = await collected(stub, asked(replace(DIRECT, base_url=stub.url), 1))
    [reply] = found.values()
    assert isinstance(reply, Reply)
    assert (reply.finish, reply.text) == ("refused", "I can't.")


async def test_rows_of_an_expired_batch_are_kept_as_far_as_they_came() -> None:
    async with BatchStub() as stub:
        stub.status, stub.left = "expired", 1
        rows = asked(replace(DIRECT, base_url=stub.url), 3)
        found = await collected(stub, rows)
    late, *others = (found[call] for call in rows)
    assert isinstance(late, Transient)
    assert "could not be executed in time" in str(late)
    assert all(isinstance(reply, Reply) for reply in others)


@pytest.mark.parametrize(
    ("status", "errors", "kind", "said"),
    [
        ("failed", [{"code": "invalid_json_line", "message": "line 3"}], Transient, "is failed: line 3"),
        ("failed", [{"code": "token_limit_exceeded"}], RateLimited, "is failed: token_limit_exceeded"),
        ("cancelled", [], Transient, "is cancelled"),
    ],
)
async def test_a_batch_that_ended_badly_says_why(
    status: str, errors: list[dict[str, Any]], kind: type[Transient], said: str
) -> None:
    async with BatchStub() as stub:
        stub.status, stub.errors, stub.left = status, errors, 3
        api = service(replace(DIRECT, base_url=stub.url))
        progress, found = await through(api, asked(replace(DIRECT, base_url=stub.url), 3))
        await api.aclose()
    assert found == {}
    assert type(progress.trouble) is kind
    assert str(progress.trouble).endswith(said)


GARBAGE: list[Callable[[str], str]] = [
    lambda line: line[: len(line) // 2],
    lambda line: "\0" + line,
    lambda line: "[" * 100_000,
    lambda line: '{"custom_id": ["a"]}',
    lambda line: "null",
    lambda line: "12",
    lambda line: line.replace('"custom_id": "', '"custom_id": "x'),
    lambda line: '{"custom_id": "' + "9" * 5000 + '", "response": ' + "9" * 5000 + "}",
]


@pytest.mark.parametrize("spoil", GARBAGE)
async def test_a_damaged_line_harms_only_its_row(spoil: Callable[[str], str]) -> None:
    async with BatchStub() as stub:
        rows = asked(replace(DIRECT, base_url=stub.url), 3)
        stub.mangle = lambda lines: [lines[0], spoil(lines[1]), lines[2]]
        found = await collected(stub, rows)
    first, _, third = rows
    assert found.keys() == {first, third}


async def test_a_line_that_came_twice_counts_once_and_line_ends_inside_a_text_end_no_line() -> None:
    def answer(body: dict[str, Any]) -> dict[str, Any]:
        return completion(body, '{"n": 1, "t": "a\u2028b\u0085c"}')

    async with BatchStub(answer) as stub:
        rows = asked(replace(DIRECT, base_url=stub.url), 1)
        stub.mangle = lambda lines: [
            json.dumps(json.loads(lines[0]), ensure_ascii=False),
            lines[0].replace('"status_code": 200', '"status_code": 500'),
        ]
        found = await collected(stub, rows)
    [reply] = found.values()
    assert isinstance(reply, Reply)
    assert json.loads(reply.text)["t"] == "a\u2028b\u0085c"


async def test_a_reply_of_two_megabytes_is_cut() -> None:
    async with BatchStub(lambda body: completion(body, "x" * 2_000_000)) as stub:
        found = await collected(stub, asked(replace(DIRECT, base_url=stub.url), 1))
    [reply] = found.values()
    assert isinstance(reply, Reply)
    assert reply.finish == "oversized"
    assert len(reply.text) < 10_000


# ----------------------------------------------------------------------------------------------------------- finding


async def test_a_batch_is_found_by_its_name_on_whatever_page_it_is() -> None:
    async with BatchStub() as stub:
        model = replace(DIRECT, base_url=stub.url)
        api, rows = service(model), asked(model, 1)
        for name in ("a", "b", "ours", "c", "d", "e", "f"):
            await api.submit(name, rows)
        found = await api.find(open_batch(rows, stub))
        assert found
        assert found.remote == "batch_2"
        assert await api.find(replace(open_batch(rows, stub), name="never")) is None
        late = replace(open_batch(rows, stub), at=stub.taken["batch_0"].at + 7200)
        stub.paths.clear()
        assert await api.find(replace(late, name="never")) is None
        assert len(stub.paths) == 1  # older ones are not looked through
        await api.aclose()


async def test_a_batch_that_was_taken_although_the_connection_broke_is_found() -> None:
    async with BatchStub() as stub:
        stub.deaf = 1
        model = replace(DIRECT, base_url=stub.url)
        api, rows = service(model), asked(model, 2)
        with pytest.raises(Transient, match="the connection to the batch API failed"):
            await api.submit("ours", rows)
        found = await api.find(open_batch(rows, stub))
        await api.aclose()
    assert found
    assert found.remote == "batch_0"


# --------------------------------------------------------------------------------------------------------- failures

FAILURES: dict[str, tuple[str, Raw, type[BenchwrightError], str]] = {
    "no files": ("POST /files", Raw(404, "not found"), BadRequest, "no batch API here: take batch = true off"),
    "no batches": ("POST /batches", Raw(405, ""), BadRequest, "no batch API here"),
    "bad key": ("POST /files", Raw(401, error(f"no such key: {KEY}")), BadKey, "does not accept"),
    "slow down": ("POST /batches", Raw(429, error("x"), {"retry-after": "9"}), RateLimited, "fewer requests"),
    "down": ("POST /files", Raw(503, "busy"), Transient, "busy"),
    "a page": ("POST /batches", Raw(200, "<html>"), Transient, "the batch API's answer is not understood: '<html>'"),
    "another form": ("POST /batches", Raw(200, '{"id": ""}'), Transient, "is not understood"),
    "dropped": ("POST /files", Raw(drop=True), Transient, "the connection to the batch API failed"),
}


@pytest.mark.parametrize(("path", "fault", "kind", "message"), FAILURES.values(), ids=FAILURES.keys())
async def test_a_failure_becomes_the_error_that_says_what_to_do(
    path: str,
    fault: Raw,
    kind: type[BenchwrightError],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("STUB_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    async with BatchStub() as stub:
        stub.faults[path] = [fault]
        model = replace(DIRECT, base_url=stub.url, api_key_env="STUB_KEY")
        api = service(model)
        with pytest.raises(kind, match=f"(?s)^model 'm'.*{message}") as caught:
            await api.submit("ours", asked(model, 1))
        await api.aclose()
    assert type(caught.value) is kind
    assert KEY not in f"{caught.value!r} {caplog.text} {caught.value.__context__!r}"


async def test_a_batch_that_is_not_known_is_named() -> None:
    async with BatchStub() as stub:
        api = service(replace(DIRECT, base_url=stub.url))
        with pytest.raises(UnknownModel, match=r"/batches/batch_9%2F\.\. is not known; has the key's account changed"):
            await api.look(OpenBatch("ours", "m", 0.0, 0.0, {}, "batch_9/.."))
        await api.aclose()


@pytest.mark.parametrize(("url", "message"), [("ftp://x/v1", "no http address"), ("http://127.0.0.1:9/v1", "failed")])
async def test_an_address_where_nothing_is_is_said_so(url: str, message: str) -> None:
    api = service(replace(DIRECT, base_url=url))
    with pytest.raises(BenchwrightError, match=message):
        await api.ready()
    await api.aclose()


async def test_doctor_asks_for_batches_where_a_role_wants_them() -> None:
    async with BatchStub() as stub:
        model = replace(DIRECT, base_url=stub.url)
        assert (await probe(model, batch=True)).message.endswith("serves stub; it takes batches")
        stub.faults["GET /batches"] = [Raw(404, "")] * 3
        found = await probe(model, batch=True)
        assert not found.ok
        assert "take batch = true off the roles that this model serves" in found.message
        assert (await probe(model)).ok
