"""Nothing completed is paid for twice; what is in the air is shared; what may be paid is written before it leaves."""

import asyncio
from dataclasses import replace

import pytest

from benchwright.domain.call import Message, Reply, Request
from benchwright.domain.campaign import Model
from benchwright.errors import RateLimited, Unsent
from benchwright.llm.gateway import Llm
from benchwright.llm.ledger import Departure, Ledger
from benchwright.llm.providers.scripted import Scripted

MODEL = Model("m", "direct", "m-1", base_url="http://127.0.0.1:1/v1")
REQUEST = Request(MODEL, (Message("user", ("How many?",)),), {})


class Notes:
    """A record in memory that keeps the order of what is written.

    A closed `gate` holds settling up, a closed `opening` the writing of intents.
    """

    def __init__(self) -> None:
        self.replies: dict[str, Reply] = {}
        self.written: list[tuple[str, str]] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.opening = asyncio.Event()
        self.opening.set()

    async def find(self, request: Request) -> Reply | None:
        await asyncio.sleep(0)
        return self.replies.get(request.id)

    async def begin(self, request: Request) -> None:
        await self.opening.wait()
        self.written.append(("intend", request.id))

    async def settle(self, request: Request, reply: Reply) -> None:
        await self.gate.wait()
        self.replies[request.id] = reply
        self.written.append(("settle", request.id))

    async def fail(self, request: Request, error: str) -> None:
        self.written.append((f"fail {error}", request.id))

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.written]


class Slow:
    """A model that answers when told; `cut` counts the calls that were cancelled."""

    def __init__(self) -> None:
        self.asked = 0
        self.cut = 0
        self.go = asyncio.Event()

    async def ask(self, request: Request) -> Reply:
        self.asked += 1
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cut += 1
            raise
        return Reply("late")


def ledger_of(llm: Llm, notes: Notes) -> Ledger:
    """A ledger behind which every call leaves at once."""
    return Ledger(Departure(llm, notes), notes)


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_call_is_written_down_before_it_leaves_and_its_reply_before_anyone_sees_it() -> None:
    notes = Notes()

    def answer(request: Request) -> str:
        assert notes.kinds == ["intend"]
        return "three"

    reply = await ledger_of(Scripted(answer), notes).ask(REQUEST)
    assert (reply.text, reply.call) == ("three", REQUEST.id)
    assert notes.kinds == ["intend", "settle"]


async def test_an_identical_call_is_answered_from_the_record_with_its_latency() -> None:
    notes, llm = Notes(), Scripted(lambda _: Reply("three", latency=1.5))
    ledger = ledger_of(llm, notes)
    first = await ledger.ask(REQUEST)
    again = await ledger.ask(replace(REQUEST, step="another role"))
    assert again == first
    assert again.latency == 1.5
    assert len(llm.history) == 1
    assert notes.kinds == ["intend", "settle"]


async def test_another_run_is_another_call() -> None:
    llm = Scripted(lambda _: "three")
    ledger = ledger_of(llm, Notes())
    await ledger.ask(REQUEST)
    await ledger.ask(replace(REQUEST, run=1))
    assert len(llm.history) == 2


async def test_a_failed_call_is_recorded_as_failed_and_asked_anew() -> None:
    notes = Notes()
    replies: list[str | Exception] = ["three", RateLimited("slow down")]
    ledger = ledger_of(Scripted(lambda _: replies.pop()), notes)
    with pytest.raises(RateLimited):
        await ledger.ask(REQUEST)
    assert (await ledger.ask(REQUEST)).text == "three"
    assert notes.kinds == ["intend", "fail RateLimited: slow down", "intend", "settle"]


async def test_identical_calls_in_the_air_share_one() -> None:
    notes, llm = Notes(), Slow()
    ledger = ledger_of(llm, notes)
    asking = [asyncio.create_task(ledger.ask(REQUEST)) for _ in range(5)]
    await settled()
    llm.go.set()
    assert {reply.text for reply in await asyncio.gather(*asking)} == {"late"}
    assert llm.asked == 1
    assert ledger.flights == {}


async def test_one_that_stops_waiting_does_not_end_the_call_of_the_others() -> None:
    llm = Slow()
    ledger = ledger_of(llm, Notes())
    first, second = (asyncio.create_task(ledger.ask(REQUEST)) for _ in range(2))
    await settled()
    first.cancel()
    await settled()
    llm.go.set()
    assert (await second).text == "late"
    assert first.cancelled()
    assert llm.cut == 0


async def test_a_call_that_nobody_waits_for_ends_and_its_intent_stays() -> None:
    notes, llm = Notes(), Slow()
    ledger = ledger_of(llm, notes)
    asking = asyncio.create_task(ledger.ask(REQUEST))
    await settled()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert llm.cut == 1
    assert notes.kinds == ["intend"]
    llm.go.set()
    assert (await ledger.ask(REQUEST)).text == "late"


async def test_a_reply_that_has_come_is_written_down_though_nobody_waits_any_more() -> None:
    notes, llm = Notes(), Scripted(lambda _: "three")
    notes.gate.clear()
    asking = asyncio.create_task(ledger_of(llm, notes).ask(REQUEST))
    await settled()
    asking.cancel()
    await settled()
    assert not asking.done()
    notes.gate.set()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert notes.kinds == ["intend", "settle"]


async def test_one_who_asks_while_a_call_is_being_ended_gets_a_call_of_his_own() -> None:
    llm = Slow()
    ledger = ledger_of(llm, Notes())
    first = asyncio.create_task(ledger.ask(REQUEST))
    await settled()
    first.cancel()
    await asyncio.sleep(0)
    second = asyncio.create_task(ledger.ask(REQUEST))
    await settled()
    llm.go.set()
    assert (await second).text == "late"
    assert first.cancelled()


async def test_a_request_that_waits_in_line_has_not_left_and_leaves_no_trace_when_it_is_sent_home() -> None:
    notes, line = Notes(), Slow()

    class Line:
        async def ask(self, request: Request) -> Reply:
            await line.ask(request)
            return await Departure(Scripted(lambda _: "three"), notes).ask(request)

    asking = asyncio.create_task(Ledger(Line(), notes).ask(REQUEST))
    await settled()
    assert notes.kinds == []
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert notes.kinds == []


async def test_a_call_whose_intent_is_written_while_the_run_stops_is_not_sent() -> None:
    notes, llm = Notes(), Scripted(lambda _: "three")
    notes.opening.clear()
    departure = Departure(llm, notes)
    asking = asyncio.create_task(departure.ask(REQUEST))
    await settled()
    departure.leave()
    notes.opening.set()
    with pytest.raises(Unsent):
        await asking
    assert llm.history == []
    assert notes.kinds == ["intend", "fail Unsent: The run stopped before this request left."]


async def test_who_gives_up_while_the_intent_is_written_is_not_booked_as_sent() -> None:
    notes, llm = Notes(), Scripted(lambda _: "three")
    notes.opening.clear()
    asking = asyncio.create_task(Departure(llm, notes).ask(REQUEST))
    await settled()
    asking.cancel()
    await settled()
    notes.opening.set()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert llm.history == []
    assert notes.kinds == ["intend", "fail never sent"]
