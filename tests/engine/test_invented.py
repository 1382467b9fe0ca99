"""The model without sense: every role of the pipeline can use what it says, and agreement is what was asked for."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from tests.rig import rig
from tests.scripted_recall import pipeline

from benchwright.domain.call import Message, Reply, Request
from benchwright.domain.campaign import Model
from benchwright.engine.invented import Invented, Manner
from benchwright.engine.runner import How
from benchwright.engine.status import status

MODEL = Model("m", "direct", "m-1", "http://127.0.0.1:9/v1", price_in=1.0, price_out=2.0)
SURE = Manner(1.0, ease=1.0)


def request(schema: Mapping[str, Any], task: str = "Q", step: str = "any") -> Request:
    return Request(MODEL, (Message("user", (task,)),), schema, step=step)


async def said(schema: Mapping[str, Any], task: str = "Q", step: str = "any", manner: Manner = SURE) -> Any:
    return json.loads((await Invented(manner).ask(request(schema, task, step))).text)


async def test_a_campaign_whose_checkers_all_agree_keeps_every_item_at_its_first_try() -> None:
    async with rig(pipeline()) as one:
        object.__setattr__(one.tools, "llm", replaced(one.tools.llm, Invented(SURE)))
        assert (await one.run()).how is How.DONE
        found = await one.database.read(status)
        assert found.items == {"kept": 3}
        assert all("failed" not in states for states in found.answers.values())


async def test_a_campaign_whose_checkers_toss_coins_ends_too_and_asks_more() -> None:
    async with rig(pipeline()) as one:
        object.__setattr__(one.tools, "llm", replaced(one.tools.llm, Invented(Manner(0.5))))
        await one.run()
        found = await one.database.read(status)
        assert found.items != {"kept": 3}
        assert all("failed" not in states for states in found.answers.values())
        assert found.answers["check_option"]["given"] > 3 * 3


def replaced(llm: Any, model: Invented) -> Any:
    """The rig's chain with this model at its end."""
    llm.inner.inner = model
    return llm


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"const": 7}, 7),
        ({"type": "null"}, None),
        ({"anyOf": [{"const": 1}, {"const": 2}]}, 1),
        ({"oneOf": [{"const": "a"}]}, "a"),
        ({"$ref": "#/$defs/One", "$defs": {"One": {"enum": ["x"]}}}, "x"),
        ({"type": "boolean"}, True),
        ({"type": "number", "minimum": 3, "maximum": 3}, 3.0),
        ({"type": "array", "items": {"type": "integer", "minimum": 4, "maximum": 4}}, [4]),
        ({}, {}),
    ],
)
async def test_a_reply_fits_its_schema(schema: dict[str, Any], value: Any) -> None:
    assert (await said({"type": "object", "properties": {"a": schema}, "$defs": schema.get("$defs", {})}))["a"] == value


async def test_lists_are_as_long_as_usual_within_what_is_allowed() -> None:
    texts = {"type": "array"}
    for bounds, count in (({}, 3), ({"maxItems": 2}, 2), ({"minItems": 5}, 5), ({"maxItems": 9}, 3)):
        assert len(await said({"properties": {"a": texts | bounds}})) == 1
        assert len((await said({"properties": {"a": texts | bounds}}))["a"]) == count
    many = await said({"properties": {"a": texts | {"maxItems": 6}}}, step="design_distractors")
    assert len(many["a"]) == 6


async def test_texts_are_as_long_as_they_may_be_and_questions_where_they_must() -> None:
    text = await said({"properties": {"a": {"type": "string", "maxLength": 60}}})
    assert 40 < len(text["a"]) <= 60
    question = await said({"properties": {"a": {"type": "string", "pattern": "^.{12,240}[?]$"}}})
    assert question["a"].endswith("?")
    claimed = await said({"properties": {"a": {"type": "string"}}}, step="write_correct_options")
    assert claimed["a"].startswith("Correct ")


async def test_a_checker_that_agrees_says_what_a_line_of_the_task_claims() -> None:
    verdict = {"type": "object", "properties": {"verdict": {"enum": ["correct", "wrong", "flawed"]}}}
    schema = {"properties": {"A": verdict, "B": verdict}}
    task = "A. Correct bade fi\nB. Wrong guku"
    assert await said(schema, task) == {"A": {"verdict": "correct"}, "B": {"verdict": "wrong"}}
    against = await said(schema, task, manner=Manner(0.0))
    assert against["A"]["verdict"] != "correct"
    assert against["B"]["verdict"] != "wrong"


async def test_tokens_money_and_time_are_those_of_a_real_model() -> None:
    schema = {"properties": {"a": {"type": "string"}}}
    reply = await Invented(SURE).ask(request(schema, "word " * 600))
    assert isinstance(reply, Reply)
    assert 1000 < reply.usage.prompt < 1100
    assert reply.cost == pytest.approx((reply.usage.prompt + 2 * reply.usage.completion) / 1e6)
    assert 0.5 < reply.latency < 2
    here = replace(request(schema, "word " * 600), model=Model("l", "local", "smollm2"))
    slow = await Invented(SURE).ask(here)
    assert (slow.cost, slow.latency > 5) == (0.0, True)
    unknown = await Invented(SURE).ask(replace(here, model=Model("m", "direct", "m-1", "http://127.0.0.1:9/v1")))
    assert unknown.cost is None
