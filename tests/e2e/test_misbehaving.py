"""A server that misbehaves about one document of four: what is kept, and what a second run makes once it is mended.

Calls are counted by the server.
"""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from tests.cli.campaign import answer, served, typed
from tests.e2e.test_quota import campaign, rows
from tests.e2e.test_refusals import Mended, about_bad, error
from tests.stub import Raw, completion

from benchwright.engine import outcome
from benchwright.show.code import Code

Body = dict[str, Any]


class Mode(NamedTuple):
    """A manner of the server; `calls` are those about the one document before the server is mended."""

    said: Callable[[Body], Any]
    cause: str = ""
    calls: int = 5
    code: Code = Code.DONE


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome, "backoff", lambda attempt, jitter: 0.01)


def text(body: Body) -> str:
    """The good answer's text."""
    return str(answer(body)["choices"][0]["message"]["content"])


def message(body: Body, finish: Any = "stop", **said: Any) -> Body:
    """The good answer with another message."""
    return answer(body) | {"choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", **said}}]}


def raw(body: Body, before: str = "") -> Raw:
    """The good answer as it is sent, behind something else."""
    return Raw(200, before + json.dumps(answer(body)))


def streamed(body: Body) -> Raw:
    """A stream that nobody asked for."""
    piece = answer(body) | {"choices": [{"index": 0, "delta": {"content": text(body)}, "finish_reason": "stop"}]}
    return Raw(200, f"data: {json.dumps(piece)}\n\ndata: [DONE]\n\n", {"content-type": "text/event-stream"})


def called(body: Body) -> Body:
    """The answer in a call of a function that nobody asked for."""
    function = {"name": "answer", "arguments": text(body)}
    return message(body, "tool_calls", content=None, tool_calls=[{"id": "1", "type": "function", "function": function}])


TWO = '{"rationale":"x","suitable":[1],"best":1} or {"rationale":"y","suitable":[2],"best":2}'
LATER: dict[str, Any] = {"cause": "unavailable", "calls": outcome.ATTEMPTS, "code": Code.PAUSED}
NO: dict[str, Any] = {"cause": "refused", "calls": outcome.REJECTIONS}
MODES: dict[str, Mode] = {
    # What is read all the same.
    "only a thought": Mode(lambda body: message(body, content=None, reasoning_content=text(body))),
    "an unknown finish": Mode(lambda body: message(body, "because", content=text(body))),
    "a finish that is no text": Mode(lambda body: message(body, 7, content=text(body))),
    "a byte order mark": Mode(lambda body: raw(body, "\ufeff")),
    "comments before the body": Mode(lambda body: raw(body, ": ping\n\n: ping\n\n")),
    "a stream unasked": Mode(streamed),
    "created": Mode(lambda body: Raw(201, json.dumps(answer(body)))),
    "parts": Mode(lambda body: message(body, content=[{"type": "text", "text": text(body)}])),
    "a value": Mode(lambda body: message(body, content=json.loads(text(body)))),
    "a function unasked": Mode(called),
    "the same twice": Mode(lambda body: message(body, content=f"{text(body)}\n{text(body)}")),
    "a lone surrogate": Mode(lambda body: Raw(200, json.dumps(answer(body)).replace("because", "be\\ud800cause"))),
    # What is paid for and cannot be used.
    "two different answers": Mode(lambda body: message(body, content=TWO), "several", 2),
    "a thought without end": Mode(lambda body: message(body, content=f"<think>so {text(body)}"), "empty", 2),
    "cut while thinking": Mode(lambda body: message(body, "length", content="", reasoning="hm"), "truncated", 3),
    "a filter's finish": Mode(lambda body: completion(body, "", "content_filter"), "filtered", 1),
    "a refusal": Mode(lambda body: message(body, content=None, refusal="I cannot"), "refused", 1),
    # What is refused.
    "a redirect": Mode(lambda _: Raw(307, "", {"location": "http://127.0.0.1:9/x"}), **NO),
    "an empty 400": Mode(lambda _: Raw(400, ""), **NO),
    "large headers": Mode(lambda _: Raw(431, error("header too large")), **NO),
    # The provider's failures.
    "an error in the choice": Mode(lambda body: message(body, "error", content=""), **LATER),
    "an error in a 200": Mode(lambda _: Raw(200, json.dumps({"error": "model crashed"})), **LATER),
    "no choices": Mode(lambda body: answer(body) | {"choices": []}, **LATER),
    "a page in a 200": Mode(lambda _: Raw(200, "<html>sign in</html>"), **LATER),
    "nothing": Mode(lambda _: Raw(204, ""), **LATER),
    "depth": Mode(lambda _: Raw(200, "[" * 100_000), **LATER),
    "a status of no standard": Mode(lambda _: Raw(999, "denied"), **LATER),
}


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES.keys())
def test_one_manner_about_one_document_harms_no_other_and_once_it_is_mended_all_is_made(
    mode: Mode, tmp_path: Path
) -> None:
    endpoint = Mended(lambda body: mode.said(body) if about_bad(body) else answer(body))
    with served(endpoint) as stub:
        file = campaign(tmp_path, stub.url, documents=4, width=2)
        ran = typed("run", file)
        assert ran.code == mode.code, ran
        assert sum(map(about_bad, stub.seen)) == mode.calls
        failed = typed("calls", file, "--failed", "--json").json
        assert [(call["cause"], call["source"]) for call in failed] == (
            [(mode.cause, "documents/003.md")] if mode.cause else []
        )
        assert rows(file, "SELECT count(*) FROM items WHERE state = 'kept'") == [(3 if mode.cause else 4,)]
        before, endpoint.sound = len(stub.seen), True
        assert typed("run", file, "--ask-again").code == Code.DONE
        assert rows(file, "SELECT count(*) FROM items WHERE state = 'kept'") == [(4,)]
        assert len(stub.seen) - before == (5 if mode.cause else 0)


ODD: tuple[Any, ...] = (-1, -(10**12), 0, 3, 10**6, 10**18, 1.5, 1e308, "7", "many", None, [], {}, True)
CAP = 0.02  # US dollars


def odd_usage(chance: Random) -> Any:
    """Counts of tokens of any kind."""
    if chance.random() < 0.2:
        return chance.choice([None, [], "none", 7, {}])
    names = ("prompt_tokens", "completion_tokens", "total_tokens", "prompt_cache_hit_tokens")
    found: dict[str, Any] = {name: chance.choice((100, *ODD)) for name in names if chance.random() < 0.8}
    details = {"cached_tokens": chance.choice(ODD), "cache_creation_tokens": chance.choice(ODD)}
    return found | {"prompt_tokens_details": chance.choice((None, details, 5))}


@pytest.mark.parametrize("seed", range(8))
def test_whatever_a_provider_counts_spending_never_falls_and_the_cap_is_passed_by_calls_in_flight_alone(
    seed: int, tmp_path: Path
) -> None:
    chance, width = Random(seed), 2
    with served(lambda body: answer(body) | {"usage": odd_usage(chance)}) as stub:
        file = campaign(tmp_path, stub.url, documents=6, width=width)
        prices = f"price_in = 1.0\nprice_out = 2.0\nprice_cached = 0.1\n[budget]\nusd = {CAP}\n[roles]"
        file.write_text(file.read_text().replace("[roles]", prices))
        for _ in range(2):
            ran = typed("run", file)
            assert ran.code in {Code.DONE, Code.PAUSED}, ran
        costs = [cost or 0.0 for (cost,) in rows(file, "SELECT cost FROM calls WHERE state = 'done'")]
        assert min(costs) >= 0
        [(spent, prompt, completed, cached)] = rows(
            file, "SELECT sum(cost), min(prompt), min(completion), min(cached) FROM spending"
        )
        assert spent == pytest.approx(sum(costs))
        assert min(prompt, completed, cached) >= 0
        assert sum(sorted(costs)[:-width]) <= CAP
