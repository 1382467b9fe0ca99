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
from benchwright.llm.replies import chat

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
    "400": (failing(400, error("unknown field 'seed'")), BadRequest, 'needs omit = ."seed".: "unknown field'),
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


HOSTS: dict[str, tuple[str, str, set[str], set[str]]] = {
    "OpenAI": ("https://api.openai.com/v1", "gpt-4o", {"max_completion_tokens", "temperature", "seed"}, {"max_tokens"}),
    "OpenAI, one that reasons": (
        "https://api.openai.com/v1",
        "o3-mini",
        {"max_completion_tokens"},
        {"max_tokens", "temperature", "top_p"},
    ),
    "Azure": ("https://x.openai.azure.com/openai/v1", "gpt-5", {"max_completion_tokens"}, {"temperature"}),
    "Mistral": ("https://api.mistral.ai/v1", "mistral-small", {"random_seed", "max_tokens"}, {"seed"}),
    "Gemini": ("https://generativelanguage.googleapis.com/v1beta/openai", "gemini", {"max_tokens"}, {"seed"}),
    "any": ("http://localhost:8000/v1", "gpt-5", {"max_tokens", "temperature", "seed"}, {"max_completion_tokens"}),
}


@pytest.mark.parametrize(("base", "target", "sent", "left"), HOSTS.values(), ids=HOSTS.keys())
def test_a_host_is_asked_in_its_own_names(base: str, target: str, sent: set[str], left: set[str]) -> None:
    body = chat.body(question(Model("m", "direct", target, base_url=base, top_p=0.5), 1))
    assert sent <= body.keys()
    assert not left & body.keys()


async def test_what_the_campaign_says_of_parameters_and_headers_goes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATEWAY_KEY", KEY)
    manner = {
        "extra": {"reasoning_effort": "low", "chat_template_kwargs": {"enable_thinking": False}},
        "omit": ("seed", "temperature"),
        "rename": {"max_tokens": "max_completion_tokens"},
        "headers": {"api-key": "$GATEWAY_KEY", "X-Team": "ours"},
    }
    async with Stub(lambda _: failing(400, error(f"no {KEY}"))) as stub:
        asked = model(stub, **manner)
        llm = Direct(asked)
        with pytest.raises(Rejected) as caught:
            await llm.ask(question(asked, 1))
        await llm.aclose()
    assert stub.seen[0].keys() == {
        *("model", "messages", "max_completion_tokens", "response_format", "reasoning_effort", "chat_template_kwargs")
    }
    assert stub.headers[0]["api-key"] == KEY
    assert stub.headers[0]["x-team"] == "ours"
    assert KEY not in str(caught.value)
    assert KEY not in json.dumps(asked.recipe())
    assert question(asked, 1).id != question(replace(asked, extra={}), 1).id


async def test_a_header_whose_variable_is_not_set_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GATEWAY_KEY", raising=False)
    with pytest.raises(BadKey, match="header api-key: the environment variable GATEWAY_KEY is not set"):
        Direct(Model("m", "direct", "x", base_url="http://127.0.0.1:9/v1", headers={"api-key": "$GATEWAY_KEY"}))


WRAPPED = {
    "a byte order mark": "\ufeff{}",
    "comment lines": ": PROCESSING\n\n: PROCESSING\n\n{}",
    "blank lines": "\n\n  {}",
    "one event": "data: {}\n\ndata: [DONE]\n\n",
}


@pytest.mark.parametrize("wrapping", WRAPPED.values(), ids=WRAPPED.keys())
@pytest.mark.parametrize("status", [200, 201, 202])
async def test_a_sound_completion_is_read_in_any_wrapping(wrapping: str, status: int) -> None:
    async with Stub(lambda body: Raw(status, wrapping.replace("{}", json.dumps(completion(body, '{"n": 1}'))))) as stub:
        llm = Direct(model(stub))
        assert (await llm.ask(question(llm.model, 1))).text == '{"n": 1}'
        await llm.aclose()


def events(*deltas: dict[str, Any], finish: str | None = "stop", done: bool = True) -> str:
    parts: list[Any] = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    parts += [{"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}] if finish else []
    parts += [{"choices": [], "usage": {"prompt_tokens": 50, "completion_tokens": 7}}]
    lines = [f"data: {json.dumps(part)}\n\n" for part in parts] + (["data: [DONE]\n\n"] if done else [])
    return ": ping\n\n".join(lines)


async def test_a_reply_is_asked_for_piece_by_piece_and_put_together() -> None:
    pieces = events({"reasoning_content": "on"}, {"reasoning_content": "e"}, {"content": '{"n"'}, {"content": ": 1}"})
    async with Stub(lambda _: Raw(200, pieces, {"content-type": "text/event-stream"})) as stub:
        llm = Direct(model(stub, stream=True))
        reply = await llm.ask(question(llm.model, 1))
        await llm.aclose()
    assert stub.seen[0]["stream"] is True
    assert stub.seen[0]["stream_options"] == {"include_usage": True}
    assert (reply.text, reply.reasoning, reply.usage) == ('{"n": 1}', "one", Usage(50, 7))


async def test_the_pieces_of_a_call_are_put_together() -> None:
    calls = [{"tool_calls": [{"index": 0, "function": {"arguments": part}}]} for part in ('{"n"', ": 1}")]
    async with Stub(lambda _: Raw(200, events(*calls))) as stub:
        llm = Direct(model(stub, stream=True, reply="tool"))
        assert (await llm.ask(question(llm.model, 1))).text == '{"n": 1}'
        await llm.aclose()


BROKEN: dict[str, tuple[str, str]] = {
    "no end": (events({"content": '{"n": 1}'}, finish=None, done=False), "broke off"),
    "an error at its end": (events({"content": '{"n"'}, done=False) + 'data: {"error": {"message": "died"}}\n', "died"),
    "nothing of ours": ("data: hello\n\n", "broke off"),
}


@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=BROKEN.keys())
async def test_a_stream_that_ends_badly_is_the_provider_s_failure(text: str, message: str) -> None:
    raised = await outcome(lambda _: Raw(200, text), stream=True)
    assert isinstance(raised, Transient)
    assert message in str(raised)


async def test_a_redirect_is_said_with_its_target() -> None:
    raised = await outcome(lambda _: failing(308, "", location="https://elsewhere.test/v1"))
    assert isinstance(raised, Rejected)
    assert raised.certain
    assert "it points to https://elsewhere.test/v1" in str(raised)
