"""The fake that tests use keeps the contract of the real ones."""

import pytest
from tests.contracts.llm import llm_contract, question

from benchwright.domain.campaign import Model
from benchwright.errors import Refused
from benchwright.llm.providers.scripted import Scripted

MODEL = Model("m", "direct", "m-1")


async def test_a_scripted_model_keeps_the_contract() -> None:
    await llm_contract(lambda: Scripted(lambda _: '{"n": 1}'), MODEL)


async def test_a_script_may_raise_and_every_request_is_remembered() -> None:
    llm = Scripted(lambda _: Refused())
    with pytest.raises(Refused):
        await llm.ask(question(MODEL, 1))
    assert llm.history == [question(MODEL, 1)]
