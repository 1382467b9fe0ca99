"""litellm behind our protocol, against a real server on loopback."""

import json
import sys
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import pytest
from tests.contracts.llm import fault, llm_contract, question
from tests.stub import Answer, Raw, Stub

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
from benchwright.llm.catalogue import probe
from benchwright.llm.providers.hosted import Hosted

KEY = "sk-very-secret-0123456789"
MODEL = Model("h", "litellm", "openai/stub", api_key_env="STUB_KEY", timeout=20.0)

pytestmark = [
    pytest.mark.filterwarnings("default"),  # litellm's own
    pytest.mark.skipif(find_spec("litellm") is None, reason="litellm is not installed"),
]


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_KEY", KEY)


async def outcome(answer: Answer, **settings: Any) -> BenchwrightError:
    async with Stub(answer, latency=0.01) as stub:
        llm = Hosted(replace(MODEL, base_url=stub.url, **settings))
        with pytest.raises(BenchwrightError) as caught:
            await llm.ask(question(llm.model, 1))
        await llm.aclose()
        assert len(stub.seen) == 1  # the queue alone tries again
    return caught.value


async def test_hosted_models_keep_the_contract() -> None:
    async with Stub() as stub:
        model = replace(MODEL, base_url=stub.url)
        await llm_contract(lambda: Hosted(model), model)
        assert stub.headers[0]["authorization"] == f"Bearer {KEY}"
        assert stub.seen[0]["model"] == "stub"
        assert stub.seen[0]["response_format"]["json_schema"]["strict"] is True


def error(message: str, **more: Any) -> str:
    return json.dumps({"error": {"message": message, **more}})


FAILURES: dict[str, tuple[Raw, type[BenchwrightError], str]] = {
    "401": (Raw(401, error(f"Incorrect API key: {KEY}")), BadKey, "does not accept the key in STUB_KEY"),
    "404": (Raw(404, error("The model does not exist")), UnknownModel, "check model and base_url"),
    "400": (Raw(400, error("bad field")), BadRequest, "rejects the request"),
    "too long": (
        Raw(400, error("maximum context length is 10", code="context_length_exceeded")),
        BadRequest,
        "context",
    ),
    "filter": (Raw(400, error("x", code="content_policy_violation")), Rejected, "content filter"),
    "429": (Raw(429, error("slow down"), {"retry-after": "7"}), RateLimited, "fewer requests"),
    "500": (Raw(500, error("boom")), Transient, "failed"),
    "page": (Raw(200, "<html>"), Transient, ""),
    "dropped": (Raw(drop=True), Transient, ""),
}


@pytest.mark.parametrize(("answer", "kind", "message"), FAILURES.values(), ids=FAILURES.keys())
async def test_a_failure_becomes_the_error_that_says_what_to_do(
    answer: Raw, kind: type[BenchwrightError], message: str
) -> None:
    raised = await outcome(lambda _: answer)
    assert type(fault(raised)) is kind, raised
    assert message in str(raised)
    assert KEY not in str(raised)
    assert not isinstance(raised, RateLimited) or raised.retry_after == 7


async def test_a_name_that_litellm_cannot_route_is_a_bad_request() -> None:
    llm = Hosted(replace(MODEL, target="nowhere/stub"))
    with pytest.raises(Rejected, match="'h'") as caught:
        await llm.ask(question(llm.model, 1))
    assert type(caught.value.fault) is BadRequest
    await llm.aclose()


async def test_a_slow_provider_is_given_up_after_the_models_timeout() -> None:
    async with Stub(latency=5) as stub:
        llm = Hosted(replace(MODEL, base_url=stub.url, timeout=0.3))
        with pytest.raises(Transient, match="'h'"):
            await llm.ask(question(llm.model, 1))
        await llm.aclose()


async def test_a_model_that_was_never_asked_closes_too() -> None:
    await Hosted(MODEL).aclose()


async def test_a_provider_without_its_key_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    llm = Hosted(replace(MODEL, api_key_env=""))
    assert not (await probe(llm.model)).ok
    with pytest.raises(BadKey, match="OPENAI_API_KEY is not set"):
        await llm.ask(question(llm.model, 1))
    await llm.aclose()


async def test_the_providers_own_variable_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert (await probe(replace(MODEL, api_key_env=""))).ok


async def test_probing_asks_the_provider_nothing() -> None:
    found = await probe(MODEL)
    assert (found.name, found.ok) == ("h", True)
    assert "openai/stub is not asked before the run" in found.message


async def test_without_the_extra_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "litellm", None)
    with pytest.raises(ConfigError, match=r"pip install 'benchwright\[litellm\]'"):
        await Hosted(MODEL).ask(question(MODEL, 1))
