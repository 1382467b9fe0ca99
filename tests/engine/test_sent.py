"""How models are really asked is on record, once for each way."""

from dataclasses import replace
from importlib.util import find_spec

import pytest
from tests.scripted_recall import campaign

from benchwright.domain.campaign import Model
from benchwright.engine.sent import describe, record_sent
from benchwright.store import campaigns
from benchwright.store.database import Database


async def test_each_way_in_which_a_model_was_ever_asked_is_recorded_once() -> None:
    plan = campaign()
    async with await Database.open(None) as database:
        await database.write(lambda c: campaigns.begin(c, "demo", "", {}, "monday", "0.1"))
        for one in (
            plan,
            plan,
            replace(plan, models={**plan.models, "red": replace(plan.models["red"], omit=("seed",))}),
        ):
            await record_sent(database, one)
        found = await database.read(campaigns.sent)
        assert sorted(found) == ["blue", "green", "red", "writer"]
        assert [way["dropped"] for way in found["red"]] == [[], ["seed"]]
        assert len(found["writer"]) == 1


@pytest.mark.filterwarnings("default")  # litellm's own
@pytest.mark.skipif(find_spec("litellm") is None, reason="litellm is not installed")
async def test_where_litellm_cannot_tell_that_is_recorded() -> None:
    assert "nobody/knows" in (await describe(Model("m", "litellm", "nobody/knows")))["unknown"]
    assert (await describe(Model("m", "litellm", "openai/gpt-4.1")))["dropped"] == []
