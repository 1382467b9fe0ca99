"""What earlier runs cost: what was paid, what perhaps was, and what nobody knows."""

from dataclasses import replace
from functools import partial

from benchwright.domain.budget import Amount, nano
from benchwright.domain.call import Message, Reply, Request, Usage
from benchwright.domain.campaign import Budget, Model
from benchwright.engine.earlier import describe_earlier_spending, earlier, rebuild_request
from benchwright.llm.budget import Earlier, most
from benchwright.store import calls
from benchwright.store.database import Database

FREE_OF_PRICE = Model("m", "direct", "m-1", "http://127.0.0.1:9/v1", max_tokens=100)
PRICED = replace(FREE_OF_PRICE, price_in=1000.0, price_out=2000.0)


def request(number: int, model: Model = PRICED) -> Request:
    messages = (Message("system", ("be brief",)), Message("user", ("the document", f"question {number}")))
    return Request(model, messages, {"type": "object"}, 0, 7, "write_question")


async def paid(database: Database, number: int, cost: float | None, model: Model = PRICED) -> None:
    """A call that was answered."""
    asked, reply = request(number, model), Reply("{}", usage=Usage(100, 20, 60), cost=cost)
    await database.write(partial(calls.intend, request=asked, now="now"))
    await database.write(partial(calls.settle, request=asked, reply=reply))


async def looked(database: Database, model: Model | None) -> Earlier:
    """What counts, the catalogue holding this model or none."""
    return await database.read(partial(earlier, models={model.name: model} if model else {}))


async def test_a_new_campaign_has_spent_nothing() -> None:
    async with await Database.open(None) as database:
        assert await looked(database, PRICED) == Earlier()


async def test_what_was_paid_is_summed_up_to_the_last_digit() -> None:
    async with await Database.open(None) as database:
        for number in range(10):
            await paid(database, number, 0.1)
        assert (await looked(database, PRICED)).spent == Amount(nano(1.0), 1200)


async def test_calls_without_a_price_are_priced_as_soon_as_one_is_known_and_else_said_to_be_unknown() -> None:
    async with await Database.open(None) as database:
        await paid(database, 1, 0.5, FREE_OF_PRICE)
        await paid(database, 2, None, FREE_OF_PRICE)
        unknown = Earlier(Amount(nano(0.5), 240), unknown=1)
        assert await looked(database, FREE_OF_PRICE) == unknown
        assert await looked(database, None) == unknown
        assert await looked(database, replace(PRICED, price_in=1e5)) == Earlier(Amount(nano(20.08), 240))
        cheap = replace(PRICED, price_in=0.1, price_out=0.1)
        assert (await looked(database, cheap)).spent.nano == nano(0.5)  # never less than what is known to be paid


async def test_a_call_that_was_perhaps_paid_counts_as_the_most_it_can_have_cost_each_time_it_left() -> None:
    async with await Database.open(None) as database:
        for _ in range(2):
            await database.write(partial(calls.intend, request=request(1), now="now"))
        each = most(request(1))
        assert each.nano > nano(0.2)
        assert await looked(database, PRICED) == Earlier(each + each, lost=2)
        assert (await looked(database, None)).spent == Amount(0, 2 * each.tokens)


async def test_a_call_that_a_provider_works_on_is_held() -> None:
    async with await Database.open(None) as database:
        await database.write(partial(calls.intend, request=request(1), now="now"))
        batch = "INSERT INTO batches (name, model, total, at, expires) VALUES ('b', 'm', 1, 0, 9)"
        await database.write(lambda connection: connection.execute(batch))
        put = ("INSERT INTO batched VALUES (?, 'b')", (request(1).id,))
        await database.write(lambda connection: connection.execute(*put))
        assert await looked(database, PRICED) == Earlier(held={request(1).id: most(request(1))})


async def test_a_request_of_the_ledger_is_the_one_that_left() -> None:
    async with await Database.open(None) as database:
        await database.write(partial(calls.intend, request=request(1), now="now"))
        found = await database.read(partial(rebuild_request, name=request(1).id, models={"m": PRICED}))
        assert (found.id, found.model) == (request(1).id, PRICED)


def test_what_is_uncertain_about_the_budget_is_said_where_there_is_one() -> None:
    before = Earlier(lost=3, unknown=2)
    assert list(describe_earlier_spending(Budget(), before)) == []
    assert list(describe_earlier_spending(Budget(usd=1.0), Earlier())) == []
    assert len(list(describe_earlier_spending(Budget(tokens=1), before))) == 1
    lost, unknown = describe_earlier_spending(Budget(usd=1.0), before)
    assert lost.startswith("requests without a reply on record: 3; the budget counts them")
    assert unknown == "earlier calls whose cost nobody knows: 2; the budget cannot count them"
