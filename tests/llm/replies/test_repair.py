"""The ladder after a bad reply: shown back once, given more room when cut, then recorded with its cause."""

import json
from dataclasses import replace

import pytest

from benchwright.domain.call import Message, Reply, Request, Usage
from benchwright.domain.campaign import Model
from benchwright.errors import BadReply, BadRequest, Refused, Rejected, Transient
from benchwright.llm.providers.scripted import Scripted
from benchwright.llm.replies.repair import QUOTED_MOST, REJECTIONS, Repair

MODEL = Model("m", "direct", "m-1", base_url="http://127.0.0.1:1/v1", max_tokens=100, context=1000)


def whole(text: str) -> str:
    value = json.loads(text)
    if not isinstance(value.get("n"), int):
        raise BadReply("n: an integer is wanted", cause="schema")
    return json.dumps({"n": value["n"]})


REQUEST = Request(MODEL, (Message("user", ("How many?",)),), {"type": "object"}, accept=whole)


def saying(*replies: str | Reply | Exception) -> Scripted:
    following = iter(replies)
    return Scripted(lambda _: next(following))


async def test_a_good_reply_comes_back_as_its_canonical_body() -> None:
    llm = saying('Well: {"n": 3, "more": true}')
    reply = await Repair(llm).ask(REQUEST)
    assert reply.text == '{"n": 3}'
    assert reply.call == REQUEST.id
    assert len(llm.history) == 1


async def test_a_bad_reply_is_shown_back_with_its_error_and_the_call_named_is_the_accepted_one() -> None:
    llm = saying('{"n": "three"}', '{"n": 3}')
    reply = await Repair(llm).ask(REQUEST)
    asked = llm.history[1]
    assert [message.role for message in asked.messages] == ["user", "assistant", "user"]
    assert asked.messages[1].content == '{"n": "three"}'
    assert "n: an integer is wanted" in asked.messages[2].content
    assert (reply.text, reply.call) == ('{"n": 3}', asked.id)
    assert asked.id != REQUEST.id


@pytest.mark.parametrize(
    ("said", "cause"),
    [("", "empty"), ("no idea", "no_json"), ('{"n": "x"}', "schema"), (Reply('{"n": 1', finish="length"), "truncated")],
)
async def test_after_its_turns_the_bad_reply_is_the_outcome(said: str | Reply, cause: str) -> None:
    llm = saying(said, said)
    with pytest.raises(BadReply) as caught:
        await Repair(llm).ask(REQUEST)
    assert caught.value.cause == cause
    assert caught.value.raw == (said.text if isinstance(said, Reply) else said)
    assert len(llm.history) == 2


async def test_without_turns_nothing_is_asked_again() -> None:
    llm = saying("no idea")
    with pytest.raises(BadReply, match="no complete JSON object"):
        await Repair(llm, turns=0).ask(REQUEST)


async def test_a_cut_reply_is_asked_again_with_twice_the_room_and_no_correction() -> None:
    llm = saying(Reply('{"n": ', finish="length", usage=Usage(40, 100)), '{"n": 4}')
    reply = await Repair(llm).ask(REQUEST)
    assert reply.text == '{"n": 4}'
    assert llm.history[1].messages == REQUEST.messages
    assert llm.history[1].model.max_tokens == 200


async def test_a_cut_reply_does_not_use_up_the_correction() -> None:
    llm = saying(Reply('{"n": ', finish="length"), '{"n": "x"}', '{"n": 4}')
    assert (await Repair(llm).ask(REQUEST)).text == '{"n": 4}'
    assert [len(asked.messages) for asked in llm.history] == [1, 1, 3]
    llm = saying('{"n": "x"}', Reply('{"n": ', finish="length"), '{"n": 4}')
    assert (await Repair(llm).ask(REQUEST)).text == '{"n": 4}'
    assert [len(asked.messages) for asked in llm.history] == [1, 3, 3]


async def test_a_reply_larger_than_any_is_not_asked_for_again() -> None:
    llm = saying(Reply('{"id": "x', finish="oversized"))
    with pytest.raises(BadReply) as caught:
        await Repair(llm).ask(REQUEST)
    assert (caught.value.cause, caught.value.raw) == ("oversized", '{"id": "x')
    assert len(llm.history) == 1


async def test_the_room_ends_with_the_context() -> None:
    cut = Reply('{"n": ', finish="length", usage=Usage(850, 100))
    llm = saying(cut, '{"n": 4}')
    await Repair(llm).ask(REQUEST)
    assert llm.history[1].model.max_tokens == 150
    full = replace(cut, usage=Usage(900, 100))
    with pytest.raises(BadReply, match="cut off after 100 tokens") as caught:
        await Repair(saying(full)).ask(REQUEST)
    assert caught.value.cause == "truncated"


async def test_the_room_is_estimated_where_the_provider_counts_nothing() -> None:
    long = replace(REQUEST, messages=(Message("user", ("x" * 2_640,)),))  # about 880 tokens
    llm = saying(Reply("", finish="length"), '{"n": 4}')
    await Repair(llm).ask(long)
    assert llm.history[1].model.max_tokens == 112


async def test_a_cut_reply_that_is_whole_all_the_same_is_taken() -> None:
    reply = await Repair(saying(Reply('{"n": 5} and', finish="length"))).ask(REQUEST)
    assert reply.text == '{"n": 5}'


@pytest.mark.parametrize("finish", ["refused", "filtered"])
async def test_a_refusal_is_never_asked_again(finish: str) -> None:
    llm = saying(Reply("I'd rather not.", finish=finish))
    with pytest.raises(Refused) as caught:
        await Repair(llm).ask(REQUEST)
    assert caught.value.cause == finish


async def test_a_long_bad_reply_is_shown_back_in_part_and_an_empty_one_as_nothing() -> None:
    llm = saying("x" * 9_000, '{"n": 1}')
    await Repair(llm).ask(REQUEST)
    assert len(llm.history[1].messages[1].content) == QUOTED_MOST
    llm = saying("", '{"n": 1}')
    await Repair(llm).ask(REQUEST)
    assert llm.history[1].messages[1].content == "(nothing)"


async def test_broken_characters_are_cleaned_before_they_are_shown_back_or_taken() -> None:
    llm = saying("\0lone \ud800", '{"n": 1, "note": "\\ud800"}')
    reply = await Repair(llm).ask(replace(REQUEST, accept=str))
    assert llm.history[1].messages[1].content == "lone \ufffd"
    assert json.loads(reply.text) == {"n": 1, "note": "\ufffd"}


async def test_a_correction_that_no_longer_fits_leaves_the_bad_reply_as_the_outcome() -> None:
    with pytest.raises(BadReply) as caught:
        await Repair(saying("no idea", BadRequest("too long"))).ask(REQUEST)
    assert caught.value.cause == "no_json"


async def test_a_failing_provider_is_no_matter_for_repair() -> None:
    with pytest.raises(Transient):
        await Repair(saying(Transient())).ask(REQUEST)
    with pytest.raises(BadRequest):
        await Repair(saying(BadRequest())).ask(REQUEST)


def object_to_small(text: str) -> str:
    return "3 stands in sentence 4: cite 4" if json.loads(text)["n"] < 5 else ""


OBJECTED = replace(REQUEST, objections=object_to_small)


async def test_a_usable_reply_with_a_slip_is_shown_back_once_and_the_better_one_taken() -> None:
    llm = saying('{"n": 3}', '{"n": 7}')
    reply = await Repair(llm).ask(OBJECTED)
    asked = llm.history[1]
    assert (reply.text, reply.call) == ('{"n": 7}', asked.id)
    assert asked.messages[1].content == '{"n": 3}'
    assert "3 stands in sentence 4: cite 4" in asked.messages[2].content


@pytest.mark.parametrize("second", ['{"n": 4}', '{"n": "x"}', "", Refused(), BadRequest("too long")])
async def test_a_slip_that_stays_costs_the_writer_one_turn_and_no_answer(second: str | Exception) -> None:
    llm = saying('{"n": 3}', second)
    reply = await Repair(llm).ask(OBJECTED)
    assert reply.text == ('{"n": 4}' if second == '{"n": 4}' else '{"n": 3}')
    assert len(llm.history) == 2


async def test_where_no_turn_is_left_a_reply_with_a_slip_is_taken() -> None:
    assert (await Repair(saying('{"n": 3}'), turns=0).ask(OBJECTED)).text == '{"n": 3}'
    repaired = await Repair(saying('{"n": "x"}', '{"n": 3}')).ask(OBJECTED)
    assert repaired.text == '{"n": 3}'


async def test_a_provider_that_is_busy_at_the_second_turn_sends_the_ticket_back() -> None:
    with pytest.raises(Transient):
        await Repair(saying('{"n": 3}', Transient("busy"))).ask(OBJECTED)


@pytest.mark.parametrize(
    "thoughts", [Reply("", reasoning="Let me see.", finish="length"), Reply("<think>Let me see.", finish="length")]
)
async def test_a_model_that_thinks_long_gets_room_up_to_its_context(thoughts: Reply) -> None:
    request = replace(REQUEST, model=replace(MODEL, context=8000))
    llm = saying(replace(thoughts, usage=Usage(40, 100)), replace(thoughts, usage=Usage(40, 400)), '{"n": 4}')
    assert (await Repair(llm).ask(request)).text == '{"n": 4}'
    assert [asked.model.max_tokens for asked in llm.history] == [100, 400, 1600]


async def test_what_to_do_about_a_reply_that_is_cut_off_stands_in_its_cause() -> None:
    cut = Reply("<think>Let me see.", finish="length", usage=Usage(900, 100))
    with pytest.raises(BadReply, match="still thinking: raise max_tokens"):
        await Repair(saying(cut)).ask(REQUEST)
    with pytest.raises(BadReply, match=r"raise max_tokens of \[models.m\]"):
        await Repair(saying(replace(cut, text='{"n": '))).ask(REQUEST)


async def test_a_correction_that_is_refused_without_a_reason_is_tried_again_and_the_answer_counts() -> None:
    """A schema failure that passes at the next try must not make the first, bad reply the outcome."""
    llm = saying("no idea", Rejected("Failed to generate JSON"), Rejected("again"), '{"n": 3}')
    assert (await Repair(llm).ask(REQUEST)).text == '{"n": 3}'
    assert len({request.id for request in llm.history}) == 2


@pytest.mark.parametrize(
    "rejections",
    [[Rejected("no")] * REJECTIONS, [Rejected("flagged", "filtered")], [Rejected("long", "too long")]],
    ids=["always", "filtered", "too long"],
)
async def test_a_correction_that_is_refused_for_good_leaves_the_bad_reply(rejections: list[Exception]) -> None:
    llm = saying("no idea", *rejections)
    with pytest.raises(BadReply) as caught:
        await Repair(llm).ask(REQUEST)
    assert caught.value.cause == "no_json"
    assert len(llm.history) == 1 + len(rejections)
