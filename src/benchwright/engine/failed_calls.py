"""The calls of a campaign that failed: what each was about, why it failed, what it cost, and what becomes of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from benchwright.engine.again import AskAgain
from benchwright.engine.outcome import FAILURES
from benchwright.store import failures, items, sources
from benchwright.store.database import Connection

# What errors of ours are as causes; those of others keep their names.
CAUSES = {"BadKey": "bad key", "UnknownModel": "unknown model", "Rejected": "refused", "BadRequest": "refused"}
CAUSES |= dict.fromkeys(("Transient", "RateLimited", "Down", "Exhausted"), "unavailable")


class Next(StrEnum):
    """What becomes of a failed call."""

    RUN = "the next run asks again"
    ASK_AGAIN = "run --ask-again"
    STAYS = "stays"  # other items were made in the place of its item, or from it


@dataclass(frozen=True, slots=True)
class FailedCall:
    """A failed call: its item, and the document or record that this is about; role, part of the item, model.

    `cause` is one of `outcome.FAILURES`, or the name of the error that stopped the run; `why` says more, in the words
    of the provider where it gave any; `reply` is the last reply, if one came. `cost` in US dollars covers the whole
    question, with its corrections; None where a price is unknown.
    """

    item: str
    source: str
    role: str
    about: str
    model: str
    cause: str
    why: str
    reply: str
    cost: float | None
    call: str | None
    next: Next


def list_failed_calls(connection: Connection, wanted: AskAgain) -> list[FailedCall]:
    """Those of a cause and of a model, or all, in the order in which their items began."""
    found = [*recorded(connection, wanted), *unanswered(connection, wanted)]
    return [call for _, call in sorted(found, key=lambda one: one[0])]


def recorded(connection: Connection, wanted: AskAgain) -> Iterator[tuple[int, FailedCall]]:
    """Those that are on record as answers, each with the place of its item."""
    for one in filter(wanted.fits, failures.every(connection)):
        paid = failures.paid(connection, one.call)
        following = Next.ASK_AGAIN if one.open else Next.STAYS
        place = (one.item, source_of(connection, one.seq), one.step, one.about, one.model)
        yield one.seq, FailedCall(*place, one.cause, one.detail, paid.reply, paid.cost, one.call, following)


def unanswered(connection: Connection, wanted: AskAgain) -> Iterator[tuple[int, FailedCall]]:
    """Those of which nothing is on record yet: the run stopped, or their tickets were set aside."""
    for one in failures.pending(connection):
        cause, why = divide_error(one.error)
        if wanted.cause in ("", cause) and wanted.model in ("", one.model):
            paid = failures.paid(connection, one.call)
            place = (one.item, source_of(connection, one.seq), one.step, "", one.model)
            yield one.seq, FailedCall(*place, cause, why, paid.reply, paid.cost, one.call, Next.RUN)


def source_of(connection: Connection, seq: int) -> str:
    """What an item is about, as people know it."""
    return sources.name_of(connection, items.seed(connection, seq).about)


def divide_error(error: str) -> tuple[str, str]:
    """The cause and the words of an error as the ledger keeps it."""
    cause, colon, why = error.partition(": ")
    if colon and (cause in FAILURES or cause.isidentifier()):
        return CAUSES.get(cause, cause), why
    return "unavailable", error
