"""What every model must do, whoever serves it. `make` gives a fresh one; `model` is what it is asked as."""

import asyncio
from collections.abc import Callable

from benchwright.domain.call import Message, Reply, Request
from benchwright.domain.campaign import Model
from benchwright.errors import BenchwrightError, Rejected
from benchwright.llm.gateway import Llm

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 9}},
    "required": ["n"],
    "additionalProperties": False,
}


def fault(error: BenchwrightError) -> BenchwrightError:
    """What stops a campaign if other requests meet the same; a filter's rejection stays what it is."""
    return error.fault if isinstance(error, Rejected) and error.cause != "filtered" else error


def question(model: Model, n: int) -> Request:
    """One of several questions, as JSON."""
    text = f'Reply in JSON, such as {{"n": 3}}. Which number comes before {n + 1}?'
    return Request(model, (Message("user", (text,)),), SCHEMA)


async def llm_contract(make: Callable[[], Llm], model: Model) -> None:
    """Run the whole suite."""
    for check in (it_answers, it_answers_many_at_once, it_can_be_cancelled):
        llm = make()
        await check(llm, model)
        if close := getattr(llm, "aclose", None):
            await close()
            await close()


def sound(reply: Reply, request: Request) -> None:
    """A reply says what it is and who paid for it."""
    assert reply.text
    assert reply.finish == "stop"
    assert reply.usage.prompt > 0
    assert reply.usage.completion > 0
    assert reply.latency >= 0
    assert reply.call == request.id


async def it_answers(llm: Llm, model: Model) -> None:
    request = question(model, 1)
    sound(await llm.ask(request), request)


async def it_answers_many_at_once(llm: Llm, model: Model) -> None:
    requests = [question(model, n) for n in range(6)]
    for reply, request in zip(await asyncio.gather(*map(llm.ask, requests)), requests, strict=True):
        sound(reply, request)


async def it_can_be_cancelled(llm: Llm, model: Model) -> None:
    asking = asyncio.create_task(llm.ask(question(model, 1)))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait([asking])
    assert asking.cancelled() or asking.result().text  # some answer at once
    await it_answers(llm, model)
