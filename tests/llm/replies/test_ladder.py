"""Whatever a model or its endpoint sends: it is parsed, or it ends under a name of its own, and the next call is fine.

Everything runs through the real chain, its ledger in a real store in memory, against a real server on loopback.
"""

import asyncio
import json
import tracemalloc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError
from tests.stub import Answer, Raw, Stub, completion

from benchwright.domain.call import Message, Reply, Request
from benchwright.domain.campaign import Model
from benchwright.engine.record import StoreRecord
from benchwright.errors import BadReply, BenchwrightError, RateLimited, Refused, Transient
from benchwright.llm.catalogue import Chain, chain
from benchwright.llm.replies.chat import LARGEST
from benchwright.store import calls
from benchwright.store.database import Database

KEY = "sk-very-secret-0123456789"
DIRECT = Model("m", "direct", "stub", max_tokens=100, timeout=20.0)
HOSTED = replace(DIRECT, provider="litellm", target="openai/stub", api_key_env="STUB_KEY")
SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "why": {"type": "string"}},
    "required": ["n", "why"],
    "additionalProperties": False,
}
GOOD = '{"n": 3, "why": "so"}'
PAGE = "<!doctype html><html><body style='{color: red}'>Bad gateway</body></html>"

pytestmark = pytest.mark.filterwarnings("default:.*:DeprecationWarning", "default::UserWarning")  # litellm's own


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_KEY", KEY)


class Wanted(BaseModel):
    n: int
    why: str


def accepted(text: str) -> str:
    try:
        return Wanted.model_validate_json(text).model_dump_json()
    except ValidationError as error:
        raise BadReply(str(error.errors()[0]["msg"]), text, "schema") from error


def question(model: Model, number: int = 0) -> Request:
    turns = (Message("system", ("Be brief.",)), Message("user", (f"How many? ({number})",)))
    return Request(model, turns, SCHEMA, step="count", accept=accepted)


@dataclass(frozen=True, slots=True)
class Rig:
    """The chain, what it writes to, and whom it asks."""

    way: Chain
    database: Database
    stub: Stub
    model: Model

    async def ask(self, number: int = 0) -> Reply:
        return await self.way.ask(question(self.model, number))

    async def recorded(self, call: str) -> dict[str, Any]:
        found = await self.database.read(lambda connection: calls.get(connection, call))
        assert found
        return found


@asynccontextmanager
async def rig(answer: Answer, model: Model = DIRECT) -> AsyncIterator[Rig]:
    async with Stub(answer) as stub, await Database.open(None, create=True) as database:
        served = replace(model, base_url=stub.url)
        way = chain(StoreRecord(database), {served.name: served})
        try:
            yield Rig(way, database, stub, served)
        finally:
            await way.aclose()


def in_turn(*answers: Answer) -> Answer:
    """The first answers, then the last one for ever."""
    left = list(answers)

    def answer(body: dict[str, Any]) -> dict[str, Any] | Raw:
        following = left.pop(0) if len(left) > 1 else left[0]
        return following(body)

    return answer


def saying(content: str | None, finish: str = "stop", **said: Any) -> Answer:
    return lambda body: completion(body, content, finish, **said)


PROVIDERS = [
    pytest.param(DIRECT, id="direct"),
    pytest.param(
        HOSTED,
        id="litellm",
        marks=pytest.mark.skipif(find_spec("litellm") is None, reason="litellm is not installed"),
    ),
]

PARSED: dict[str, tuple[str, str]] = {
    "think block then fence": (f'<think>perhaps {{"n": 1}}</think>\n```json\n{GOOD}\n```', "so"),
    "JSON then prose": (f"{GOOD}\nI hope that helps!", "so"),
    "two objects that say the same": (f'{GOOD}\n{{"why": "so", "n": 3}}', "so"),
    "a draft of another form": (f'{{"n": "some", "why": "no"}}\n{GOOD}', "so"),
    "single quotes": ("{'n': 3, 'why': 'so'}", "so"),
    "a trailing comma": ('{"n": 3, "why": "so",}', "so"),
    "a lone surrogate": ('{"n": 3, "why": "s\ud800o"}', "s\ufffdo"),
    "an escaped lone surrogate": ('{"n": 3, "why": "s\\ud800o"}', "s\ufffdo"),
    "NUL": ('{"n": 3, "why": "s\0o"}\0', "so"),
    "channels": (f'<|channel|>analysis<|message|>{{"n": 1}}<|end|><|channel|>final<|message|>{GOOD}<|return|>', "so"),
}


@pytest.mark.parametrize("model", PROVIDERS)
@pytest.mark.parametrize(("content", "why"), PARSED.values(), ids=PARSED.keys())
async def test_what_can_be_read_is_read_at_the_first_call(content: str, why: str, model: Model) -> None:
    async with rig(saying(content), model) as it:
        reply = await it.ask()
        assert json.loads(reply.text) == {"n": 3, "why": why}
        assert len(it.stub.seen) == 1
        assert (await it.recorded(reply.call))["state"] == "done"


REPAIRED: dict[str, Answer] = {
    "cut at the token limit": saying('{"n": 3, "wh', "length"),
    "numbers as words": saying('{"n": "three", "why": "so"}'),
    "empty": saying(""),
    "null content": saying(None),
    "prose": saying("I count three."),
}


@pytest.mark.parametrize("model", PROVIDERS)
@pytest.mark.parametrize("first", REPAIRED.values(), ids=REPAIRED.keys())
async def test_what_cannot_be_read_is_asked_about_once_more(first: Answer, model: Model) -> None:
    async with rig(in_turn(first, saying(GOOD)), model) as it:
        assert json.loads((await it.ask()).text)["n"] == 3
        assert len(it.stub.seen) == 2


@pytest.mark.parametrize("model", PROVIDERS)
async def test_a_reply_that_the_server_took_for_a_thought_is_read(model: Model) -> None:
    async with rig(saying(None, reasoning_content=f"Let me see.\n{GOOD}"), model) as it:
        assert json.loads((await it.ask()).text) == {"n": 3, "why": "so"}
        assert len(it.stub.seen) == 1


WITHIN: dict[str, tuple[dict[str, Any], str]] = {
    "a reason that says so": ({"finish_reason": "error", "message": {"content": ""}}, "error"),
    "a part of a reply": ({"finish_reason": "error", "message": {"content": '{"n": 3'}}, "error"),
    "an error object": ({"finish_reason": "stop", "message": {"content": GOOD}, "error": {"message": "died"}}, "died"),
    "an error with a code": (
        {"finish_reason": None, "message": {"content": ""}, "error": {"code": "502", "message": "died"}},
        "died",
    ),
    "a reason that nobody knows": ({"finish_reason": "gone fishing", "message": {"content": "I co"}}, "gone fishing"),
}


@pytest.mark.parametrize(("choice", "words"), WITHIN.values(), ids=WITHIN.keys())
async def test_a_provider_that_fails_within_a_reply_is_not_taken_for_the_model(
    choice: dict[str, Any], words: str
) -> None:
    async with rig(lambda _: {"choices": [choice]}) as it:
        with pytest.raises(Transient, match=words):
            await it.ask()
        assert len(it.stub.seen) == 1


async def test_an_error_beside_the_choices_is_an_error_with_its_status() -> None:
    body = {"choices": [{"message": {"content": ""}}], "error": {"code": 429, "message": "slow down"}}
    async with rig(lambda _: body) as it:
        with pytest.raises(RateLimited):
            await it.ask()


OTHER_FORMS: dict[str, dict[str, Any]] = {
    "a reason that nobody knows, but a whole reply": {"finish_reason": "done", "message": {"content": GOOD}},
    "the object itself": {"message": {"content": {"n": 3, "why": "so"}}},
    "bare texts as parts": {"message": {"content": [GOOD[:5], GOOD[5:]]}},
    "an old call of a function": {"message": {"content": None, "function_call": {"arguments": GOOD}}},
    "a call that nobody asked for": {"message": {"content": "", "tool_calls": [{"function": {"arguments": GOOD}}]}},
}


@pytest.mark.parametrize("choice", OTHER_FORMS.values(), ids=OTHER_FORMS.keys())
async def test_a_reply_in_another_form_is_read(choice: dict[str, Any]) -> None:
    async with rig(lambda _: {"choices": [choice]}) as it:
        assert json.loads((await it.ask()).text) == {"n": 3, "why": "so"}


DRAFTS = {
    "side by side": f'{GOOD}\n{{"n": 4, "why": "no"}}',
    "with prose": f'A first idea: {{"n": 4, "why": "no"}}. On reflection, the final answer is {GOOD}',
    "marks that nobody knows": f'<ponder>{{"n": 4, "why": "no"}}</ponder>{GOOD}',
    "a final answer that is cut": f'{GOOD} No, rather {{"n": 4, "why": ',
}


@pytest.mark.parametrize("draft", DRAFTS.values(), ids=DRAFTS.keys())
async def test_of_two_different_answers_neither_counts_and_the_model_is_asked_once_more(draft: str) -> None:
    async with rig(in_turn(saying(draft), saying('{"n": 5, "why": "sure"}'))) as it:
        assert json.loads((await it.ask()).text)["n"] == 5
        assert len(it.stub.seen) == 2
        assert "one is wanted" in it.stub.seen[1]["messages"][-1]["content"]
    async with rig(saying(draft)) as it:
        with pytest.raises(BadReply) as caught:
            await it.ask()
        assert caught.value.cause == "several"


async def test_what_could_not_be_used_is_paid_for_but_no_answer_and_the_same_question_asks_anew() -> None:
    async with rig(saying("I count three.")) as it:
        for _ in range(2):
            with pytest.raises(BadReply):
                await it.ask()
        assert len(it.stub.seen) == 4
        it.stub.answer = saying(GOOD)
        assert json.loads((await it.ask()).text)["n"] == 3
        assert len(it.stub.seen) == 5
        spent = "SELECT calls FROM spending"
        assert await it.database.read(lambda connection: connection.execute(spent).fetchall()) == [(5,)]


async def test_an_unusable_reply_that_an_older_version_left_on_record_is_asked_anew() -> None:
    async with rig(saying("I count three.")) as it:
        with pytest.raises(BadReply):
            await it.ask()
        await it.database.write(lambda connection: connection.execute("UPDATE calls SET error = NULL"))
        it.stub.answer = saying(GOOD)
        assert json.loads((await it.ask()).text)["n"] == 3
        assert len(it.stub.seen) == 3


async def test_a_reply_that_is_cut_while_the_model_thinks_names_the_ways_out() -> None:
    async with rig(saying(None, "length", reasoning_content="hm " * 99)) as it:
        with pytest.raises(BadReply, match=r"still thinking: raise max_tokens.*reasoning_effort"):
            await it.ask()


async def test_a_cut_reply_gets_room_and_still_its_correction() -> None:
    answers = in_turn(saying('{"n": 3, "wh', "length"), saying('{"n": "three", "why": "so"}'), saying(GOOD))
    async with rig(answers) as it:
        assert json.loads((await it.ask()).text)["n"] == 3
        assert [body["max_tokens"] for body in it.stub.seen] == [100, 200, 200]
        assert [len(body["messages"]) for body in it.stub.seen] == [2, 2, 4]


def dropped(content: str) -> Answer:
    return lambda body: Raw(text=json.dumps(completion(body, content))[:60], drop=True)


ENDS: dict[str, tuple[Answer, type[BenchwrightError], str, int]] = {
    "cut at the token limit": (saying('{"n": 3, "wh', "length"), BadReply, "truncated", 2),
    "cut while thinking": (saying("<think>" + "hm " * 99, "length"), BadReply, "truncated", 4),
    "empty": (saying(""), BadReply, "empty", 2),
    "null content": (saying(None), BadReply, "empty", 2),
    "prose": (saying("I count three."), BadReply, "no_json", 2),
    "numbers as words": (saying('{"n": "three", "why": "so"}'), BadReply, "schema", 2),
    "filter": (saying("", "content_filter"), Refused, "filtered", 1),
    "2 MB": (saying('{"n": 3, "why": "' + "so " * 700_000 + '"}'), BadReply, "oversized", 1),
    "a page with 200": (lambda _: Raw(200, PAGE), Transient, "", 1),
    "a page with 502": (lambda _: Raw(502, PAGE), Transient, "502", 1),
    "a page with broken characters": (
        lambda _: Raw(500, '{"error": {"message": "\\ud800\\u0000"}}'),
        Transient,
        "500",
        1,
    ),
    "a connection dropped mid-body": (dropped(GOOD), Transient, "", 1),
}


@pytest.mark.parametrize("model", PROVIDERS)
@pytest.mark.parametrize(("answer", "kind", "cause", "asked"), ENDS.values(), ids=ENDS.keys())
async def test_what_cannot_be_used_ends_under_its_own_name_and_the_next_call_is_fine(
    answer: Answer, kind: type[BenchwrightError], cause: str, asked: int, model: Model
) -> None:
    async with rig(answer, model) as it:
        with pytest.raises(kind) as caught:
            await it.ask()
        assert type(caught.value) is kind
        assert cause in (getattr(caught.value, "cause", "") or str(caught.value))
        assert "'m'" in str(caught.value) or kind is BadReply
        assert len(it.stub.seen) == asked
        it.stub.answer = saying(GOOD)
        assert json.loads((await it.ask(1)).text)["n"] == 3


async def test_a_draft_between_marks_of_a_thought_is_no_reply() -> None:
    async with rig(saying(f"<think>{GOOD}</think>")) as it:
        with pytest.raises(BadReply) as caught:
            await it.ask()
        assert caught.value.cause == "empty"


@pytest.mark.parametrize("model", PROVIDERS)
async def test_a_refusal_is_told_from_an_answer(model: Model) -> None:
    async with rig(saying(None, refusal="I can't help with that."), model) as it:
        with pytest.raises(Refused) as caught:
            await it.ask()
        assert caught.value.cause == "refused"
        assert len(it.stub.seen) == 1


@pytest.mark.parametrize("model", PROVIDERS)
async def test_a_hang_ends_with_the_models_timeout(model: Model) -> None:
    async with rig(lambda _: Raw(wait=30), replace(model, timeout=0.4)) as it:
        with pytest.raises(Transient, match=r"'m'.*no answer within 0\.4 s|timed out|Timeout"):
            await it.ask()


async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A body that never ends."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
    while not writer.is_closing():
        writer.write(b'{"n": 3}' * 4096)
        await writer.drain()


async def test_an_endless_body_is_not_read_to_its_end() -> None:
    finished = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            await endless(reader, writer)
        finished.append(writer.get_extra_info("peername"))
        writer.close()

    async with (
        await asyncio.start_server(serve, "127.0.0.1", 0) as server,
        await Database.open(None, create=True) as database,
    ):
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        model = replace(DIRECT, base_url=address)
        way = chain(StoreRecord(database), {"m": model})
        with pytest.raises(BadReply) as caught:
            await way.ask(question(model))
        await way.aclose()
        for _ in range(100):
            if not finished:
                await asyncio.sleep(0.01)
    assert caught.value.cause == "oversized"
    assert len(caught.value.raw) < 10_000
    assert len(finished) == 1


async def test_memory_stays_flat_however_large_the_replies_are() -> None:
    large = Raw(text=json.dumps(completion({"messages": [], "model": "stub"}, "so " * 700_000)))
    async with rig(lambda _: large, replace(DIRECT, width=4)) as it:

        async def ask(number: int) -> None:
            with pytest.raises(BadReply):
                await it.ask(number)

        await ask(0)
        tracemalloc.start()
        before, _ = tracemalloc.get_traced_memory()
        for start in range(1, 13, 4):  # fewer than make a model unusable
            await asyncio.gather(*(ask(number) for number in range(start, start + 4)))
        after, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert after - before < 1 << 20
    assert peak - before < 4 * (2 * 2**20 + 6 * LARGEST)  # what the server sends and what the client reads, of four


THOUGHTS: dict[str, dict[str, Any]] = {
    "reasoning_content": {"content": GOOD, "reasoning_content": "one, two, three"},
    "reasoning": {"content": GOOD, "reasoning": "one, two, three"},
    "in the content": {"content": f"<think>\none, two, three\n</think>\n\n{GOOD}"},
    "without its opening": {"content": f"one, two, three</think>{GOOD}"},
    "blocks": {"content": GOOD, "thinking_blocks": [{"type": "thinking", "thinking": "one, two, three"}]},
    "parts": {"content": [{"type": "thinking", "thinking": "one, two, three"}, {"type": "text", "text": GOOD}]},
    "parts of parts": {
        "content": [
            {"type": "thinking", "thinking": [{"type": "text", "text": "one, two, three"}]},
            {"type": "text", "text": GOOD},
        ]
    },
}


@pytest.mark.parametrize("said", THOUGHTS.values(), ids=THOUGHTS.keys())
async def test_reasoning_is_kept_apart_from_the_reply(said: dict[str, Any]) -> None:
    def answer(body: dict[str, Any]) -> dict[str, Any]:
        counts = {"prompt_tokens": 9, "completion_tokens": 70, "completion_tokens_details": {"reasoning_tokens": 60}}
        made = completion(body, "") | {"usage": counts}
        made["choices"][0]["message"] |= said
        return made

    async with rig(answer) as it:
        reply = await it.ask()
        kept = await it.recorded(reply.call)
    assert kept["reasoning"] == "one, two, three"
    assert kept["reply"].strip() == GOOD
    assert (kept["thinking"], kept["completion"]) == (60, 70)


@pytest.mark.parametrize("model", PROVIDERS)
async def test_reasoning_is_kept_whoever_brings_it(model: Model) -> None:
    async with rig(saying(GOOD, reasoning_content="one, two, three"), model) as it:
        kept = await it.recorded((await it.ask()).call)
    assert (kept["reasoning"], kept["reply"]) == ("one, two, three", GOOD)


def calling(*arguments: Any) -> Answer:
    made = [{"id": "1", "type": "function", "function": {"name": "count", "arguments": one}} for one in arguments]
    return lambda body: completion(body, None, "tool_calls", tool_calls=made)


@pytest.mark.parametrize("model", PROVIDERS)
async def test_a_reply_can_come_as_the_forced_call_of_a_function(model: Model) -> None:
    async with rig(calling(GOOD), replace(model, reply="tool")) as it:
        assert json.loads((await it.ask()).text)["n"] == 3
        (body,) = it.stub.seen
    assert body["tools"][0]["function"]["name"] == "count"
    assert body["tools"][0]["function"]["parameters"] == SCHEMA
    assert body["tool_choice"] == {"type": "function", "function": {"name": "count"}}
    assert "response_format" not in body
    assert "JSON" not in json.dumps(body["messages"])


@pytest.mark.parametrize(
    "answer",
    [
        calling({"n": 3, "why": "so"}),
        calling(GOOD, '{"n": 3, "why": "so", "more": 1}'),
        calling("", GOOD),
        saying(GOOD),
    ],
    ids=["arguments as a value", "two calls", "an empty call first", "no call but text"],
)
async def test_other_forms_of_a_call_are_understood(answer: Answer) -> None:
    async with rig(answer, replace(DIRECT, reply="tool")) as it:
        assert json.loads((await it.ask()).text) == {"n": 3, "why": "so"}


async def test_a_call_without_arguments_is_an_empty_reply() -> None:
    async with rig(calling(None), replace(DIRECT, reply="tool")) as it:
        with pytest.raises(BadReply) as caught:
            await it.ask()
    assert caught.value.cause == "empty"


def mixed(body: dict[str, Any]) -> dict[str, Any] | Raw:
    """Now and then something goes wrong."""
    number = int(body["messages"][1]["content"].split("(")[1].split(")")[0])
    ways: dict[int, Callable[[], dict[str, Any] | Raw]] = {
        3: lambda: Raw(drop=True),
        7: lambda: completion(body, "no idea"),
        11: lambda: Raw(500, PAGE),
        13: lambda: completion(body, None, refusal="no"),
        17: lambda: completion(body, '{"n": 3, "wh', "length"),
    }
    return ways.get(number % 40, lambda: completion(body, GOOD))()


async def test_two_thousand_calls_leave_no_task_no_connection_and_no_place_taken() -> None:
    width, asked = 40, 2_000
    async with rig(mixed, replace(DIRECT, width=width, adaptive=False)) as it:
        before = asyncio.all_tasks()
        ends: dict[str, int] = {}

        async def caller(numbers: range) -> None:
            for number in numbers:
                asking = asyncio.create_task(it.ask(number))
                if number % 40 == 19:
                    await asyncio.sleep(0.002)
                    asking.cancel()
                (end,) = await asyncio.gather(asking, return_exceptions=True)
                ends[type(end).__name__] = ends.get(type(end).__name__, 0) + 1

        await asyncio.gather(*(caller(range(first, asked, 2 * width)) for first in range(2 * width)))
        for _ in range(100):
            if asyncio.all_tasks() - before - set(it.stub.tasks):
                await asyncio.sleep(0.01)
        assert asyncio.all_tasks() - before <= set(it.stub.tasks)
        assert len(it.stub.tasks) <= width
        assert sum(ends.values()) == asked
        assert {"Reply", "BadReply", "Refused", "Transient"} <= set(ends)
        (traffic,) = it.way.limit.traffic()
        assert (traffic.flying, traffic.waiting, traffic.width) == (0, 0, width)
        it.stub.most, it.stub.latency, it.stub.answer = 0, 0.2, saying(GOOD)
        await asyncio.gather(*(it.ask(asked + number) for number in range(2 * width)))
        assert it.stub.most == width
