"""What counts against the budget before a run begins: calls that were paid, and those that perhaps were."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from benchwright.domain.budget import Amount, nano
from benchwright.domain.call import Image, Message, Request, Usage
from benchwright.domain.campaign import Budget, Model
from benchwright.llm.budget import Earlier, most
from benchwright.llm.prices import cost
from benchwright.store import calls
from benchwright.store.calls import Spent
from benchwright.store.database import Connection

NOTHING = Amount()


def earlier(connection: Connection, models: Mapping[str, Model]) -> Earlier:
    """The sums of all runs so far.

    A call without a reply on record counts as the most it can have cost, each time it left; one that a provider still
    works on is held. Calls made when no price was known are priced as of now; `unknown` are those that cannot be.
    """
    spent, unknown, lost, held = NOTHING, 0, 0, dict[str, Amount]()
    for row in calls.spending_by_model(connection):
        amount = price_row(row, models.get(row.model))
        unknown += row.unpriced if amount is None else 0
        spent += Amount(nano(row.cost) if amount is None else amount, row.prompt + row.completion)
    for name, times, waits in calls.perhaps(connection):
        each = most(rebuild_request(connection, name, models))
        spent += Amount(times * each.nano, times * each.tokens)
        lost += times
        held |= {name: each} if waits else {}
    return Earlier(spent, held, lost, unknown)


def price_row(row: Spent, model: Model | None) -> int | None:
    """Billionths of a dollar that the calls of a row cost; None where some of them have no price even now."""
    if not row.unpriced:
        return nano(row.cost)
    known = cost(model, Usage(row.prompt, row.completion, row.cached)) if model else None
    return None if known is None else max(nano(known), nano(row.cost))


def rebuild_request(connection: Connection, name: str, models: Mapping[str, Model]) -> Request:
    """A request of the ledger, put together again."""
    row = calls.get(connection, name) or {}
    model = replace(models.get(row["model"], Model(row["model"], "", "")), **row["parameters"])
    turns = tuple(
        Message(turn["role"], (turn["content"], *(Image(**image) for image in turn.get("images", ()))))
        for turn in row["messages"]
    )
    return Request(model, turns, row["schema"], row["run"], row["seed"], row["step"])


def describe_earlier_spending(cap: Budget, before: Earlier) -> Iterator[str]:
    """What people must know about how the budget counts what went before."""
    if before.lost and (cap.usd is not None or cap.tokens is not None):
        yield f"requests without a reply on record: {before.lost}; the budget counts them as paid, each at its most"
    if before.unknown and cap.usd is not None:
        yield f"earlier calls whose cost nobody knows: {before.unknown}; the budget cannot count them"
