"""The direct client against a real server on loopback: what goes out, what comes back, and every way to fail."""

import asyncio
import json
import logging
from dataclasses import replace
from typing import Any

import pytest
from tests.contracts.llm import SCHEMA, fault, llm_contract, question
from tests.stub import Answer, Raw, Stub, completion

from benchwright.domain.call import Message, Request, Usage
from benchwright.domain.campaign import Model
from benchwright.errors import (
    BadKey,
    BadRequest,
    BenchwrightError,
    Exhausted,
    RateLimited,
    Rejected,
    Transient,
    UnknownModel,
)
from benchwright.llm.providers.direct import Direct

KEY = "sk-very-secret-0123456789"


def model(stub: Stub, **settings: Any) -> Model:
    return replace(Model("m", "direct", "stub", base_url=stub.url, timeout=5.0), **settings)


def failing(status: int, body: str | dict[str, Any] = "", **headers: str) -> Raw:
    text = body if isinstance(body, str) else json.dumps(body)
    return Raw(status, text, {key.replace("_", "-"): value for key, value in headers.items()})


async def outcome(answer: Answer, **settings: Any) -> BenchwrightError:
    async with Stub(answer) as stub:
        llm = Direct(model(stub, **settings))
        with pytest.raises(BenchwrightError) as caught:
            await llm.ask(question(llm.model, 1))
        await llm.aclose()
    return caught.value


async def test_the_direct_client_keeps_the_contract() -> None:
    async with Stub() as stub:
        await llm_contract(lambda: Direct(model(stub)), model(stub))


async def test_what_goes_out_is_the_format_that_endpoints_share() -> None:
    async with Stub() as stub:
        asked = model(stub, temperature=0.5, top_p=0.9, max_tokens=77)
        llm = Direct(asked)
        await llm.ask(
            Request(asked, (Message("system", ("Be brief.",)), Message("user", ("A", "B"))), SCHEMA, step="judge")
        )
        await llm.aclose()
    seed = stub.seen[0].pop("seed")
    assert 0 <= seed < 2**31
    assert stub.seen[0] == {
        "model": "stub",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "A\n\nB"}],
        "max_tokens": 77,
        "temperature": 0.5,
        "top_p": 0.9,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "judge", "schema": SCHEMA, "strict": True},
        },
    }
    assert "authorization" not in stub.headers[0]


async def test_what_comes_back_is_read_with_its_reasoning_and_its_counts() -> None:
    def answer(body: dict[str, Any]) -> dict[str, Any]:
        said = completion(body, '{"n": 1}', reasoning_content="one")
        counts = {"prompt_tokens": 50, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 40}}
        return said | {"usage": counts}

    async with Stub(answer) as stub:
        llm = Direct(model(stub))
        reply = await llm.ask(question(llm.model, 1))
        await llm.aclose()
    assert (reply.text, reply.reasoning, reply.usage) == ('{"n": 1}', "one", Usage(50, 7, 40))
    assert reply.latency > 0


@pytest.mark.parametrize(
    ("said", "finish", "text"),
    [
        ({"content": None}, "stop", ""),
        ({"content": ""}, "stop", ""),
        ({"content": '{"n": 1', "finish": "length"}, "length", '{"n": 1'),
        ({"content": None, "refusal": "I can't help."}, "refused", "I can't help."),
        ({"content": "", "finish": "content_filter"}, "filtered", ""),
        ({"content": "x\0\ud800y"}, "stop", "x\ufffdy"),
    ],
    ids=["null", "empty", "cut", "refusal", "filter", "broken characters"],
)
async def test_every_end_of_a_paid_call_is_a_reply_that_says_how_it_ended(
    said: dict[str, Any], finish: str, text: str
) -> None:
    async with Stub(lambda body: completion(body, **said)) as stub:
        llm = Direct(model(stub))
        reply = await llm.ask(question(llm.model, 1))
        await llm.aclose()
    assert (reply.finish, reply.text) == (finish, text)


async def test_content_in_parts_and_missing_counts_are_read() -> None:
    def answer(body: dict[str, Any]) -> dict[str, Any]:
        said = {"content": [{"type": "text", "text": '{"n"'}, {"type": "text", "text": ": 1}"}]}
        return {"choices": [{"message": said}]}

    async with Stub(answer) as stub:
        llm = Direct(model(stub))
        reply = await llm.ask(question(llm.model, 1))
        await llm.aclose()
    assert (reply.text, reply.usage, reply.finish) == ('{"n": 1}', Usage(), "stop")


def error(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


PAGE = "<html><head><title>502 Bad Gateway</title></head></html>"
FAILURES: dict[str, tuple[Raw | dict[str, Any], type[BenchwrightError], str]] = {
    "401": (failing(401, error("Incorrect API key")), BadKey, "does not accept .* 'Incorrect API key' .status 401"),
    "403": (failing(403, error("forbidden")), BadKey, "forbids this with a request without a key"),
    "402": (failing(402, error("pay first")), Exhausted, "no credit left"),
    "429 without credit": (failing(429, error("x", code="insufficient_quota")), Exhausted, "no credit left"),
    "404": (failing(404, error("no such model")), UnknownModel, "knows no 'stub'; check model and base_url"),
    "404 page": (failing(404, PAGE), UnknownModel, "check model and base_url"),
    "400 unknown model": (failing(400, error("x", code="model_not_found")), UnknownModel, "knows no 'stub'"),
    "400 too long": (
        failing(400, error("This model's maximum context length is 10")),
        BadRequest,
        "set context .now 8192",
    ),
    "413": (failing(413, error("Request too large")), BadRequest, "longer than the endpoint's context"),
    "400": (failing(400, error("unknown field 'seed'")), BadRequest, "rejects the request: \"unknown field 'seed'\""),
    "422": (failing(422, {"detail": [{"msg": "bad"}]}), BadRequest, "rejects"),
    "400 filter": (failing(400, error("x", code="content_filter")), Rejected, "content filter rejects"),
    "301": (failing(301, "", location="http://127.0.0.1:1/"), BadRequest, "status 301"),
    "429": (failing(429, error("slow down"), retry_after="7"), RateLimited, "fewer requests"),
    "500": (failing(500, error("boom")), Transient, "failed: 'boom'"),
    "502 page": (failing(502, PAGE), Transient, "status 502"),
    "503": (failing(503, "busy", retry_after="3"), Transient, "failed: 'busy'"),
    "408": (failing(408), Transient, "status 408"),
    "200 page": (failing(200, PAGE), Transient, "no JSON; it begins with '<html>"),
    "200 nothing": (failing(200, ""), Transient, "no JSON"),
    "200 other JSON": ({"hello": 1}, Transient, "not of the form expected"),
    "200 no choice": ({"choices": []}, Transient, "not of the form expected"),
    "200 error": (error("upstream died"), Transient, "upstream died.*status 500"),
    "200 error 429": (error("slow", code=429), RateLimited, "fewer requests"),
    "200 broken error": (failing(200, '{"error"'), Transient, "no JSON"),
    "200 null error": ({"error": None}, Transient, "not of the form expected"),
    "dropped": (Raw(drop=True), Transient, "the connection failed"),
    "dropped half-way": (Raw(text='{"choices": [', drop=True), Transient, "the connection failed"),
}


@pytest.mark.parametrize(("answer", "kind", "message"), FAILURES.values(), ids=FAILURES.keys())
async def test_a_failure_becomes_the_error_that_says_what_to_do(
    answer: Raw | dict[str, Any], kind: type[BenchwrightError], message: str
) -> None:
    raised = await outcome(lambda _: answer)
    assert type(fault(raised)) is kind
    with pytest.raises(type(raised), match=f"^model 'm'.*{message}"):
        raise raised


@pytest.mark.parametrize(("status", "kind"), [(429, RateLimited), (503, Transient)])
async def test_the_wait_that_a_provider_names_in_seconds_is_kept(status: int, kind: type[Transient]) -> None:
    raised = await outcome(lambda _: failing(status, "", retry_after="2.5"))
    assert isinstance(raised, kind)
    assert raised.retry_after == 2.5


async def test_a_slow_endpoint_is_given_up_after_the_models_timeout() -> None:
    async with Stub(latency=5) as stub:
        llm = Direct(model(stub, timeout=0.1))
        with pytest.raises(Transient, match=r"no answer within 0\.1 s"):
            await llm.ask(question(llm.model, 1))
        await llm.aclose()


async def test_an_endpoint_that_is_not_there_is_a_passing_failure_that_names_it() -> None:
    llm = Direct(Model("m", "direct", "stub", base_url="http://127.0.0.1:9/v1", timeout=2.0))
    with pytest.raises(Transient, match=r"'m' at http://127\.0\.0\.1:9/v1: the connection failed"):
        await llm.ask(question(llm.model, 1))
    await llm.aclose()


async def test_an_address_that_is_none_is_said_so() -> None:
    llm = Direct(Model("m", "direct", "stub", base_url="ftp://somewhere/v1"))
    with pytest.raises(BadRequest, match="no http address"):
        await llm.ask(question(llm.model, 1))
    await llm.aclose()


async def test_the_key_goes_out_in_the_header_and_shows_up_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("STUB_KEY", f" {KEY}\n")
    caplog.set_level(logging.DEBUG)
    echo = failing(401, error(f"Incorrect API key provided: {KEY}"))
    async with Stub(lambda _: echo) as stub:
        llm = Direct(model(stub, api_key_env="STUB_KEY"))
        with pytest.raises(Rejected, match=r"does not accept the key in STUB_KEY.*provided: \[key\]") as caught:
            await llm.ask(question(llm.model, 1))
        await llm.aclose()
    assert stub.headers[0]["authorization"] == f"Bearer {KEY}"
    said = [
        str(caught.value),
        repr(caught.value),
        repr(llm),
        caplog.text,
        repr(llm.model),
        str(caught.value.__context__),
    ]
    assert KEY not in "".join(said)


@pytest.mark.parametrize("value", [None, "  ", "two words", "kéy", "a\nb"])
def test_a_key_that_is_missing_or_none_is_refused_before_any_call(
    monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("STUB_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("STUB_KEY", value)
    with pytest.raises(BadKey, match="STUB_KEY") as caught:
        Direct(Model("m", "direct", "stub", base_url="http://127.0.0.1:9/v1", api_key_env="STUB_KEY"))
    assert not value or not value.strip() or value not in str(caught.value)


async def test_as_many_calls_as_the_model_is_wide_go_out_at_once_over_kept_connections() -> None:
    async with Stub(latency=0.05) as stub:
        llm = Direct(model(stub, width=3))
        await asyncio.gather(*(llm.ask(question(llm.model, n)) for n in range(9)))
        assert stub.most == 3
        assert len(stub.tasks) == 3
        await llm.aclose()


async def test_a_host_with_newer_names_is_asked_by_them() -> None:
    asked = Model("m", "direct", "gpt-5", base_url="https://api.openai.com/v1", max_tokens=9)
    llm = Direct(asked)
    body = llm.body(question(asked, 1))
    await llm.aclose()
    assert body["max_completion_tokens"] == 9
    assert "max_tokens" not in body
