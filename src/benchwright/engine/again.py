"""What failed is asked again: failed answers are withdrawn, and their items go on as if these had not been given.

At the start of each run that is done for checkers that were down, about items that have not ended meanwhile; for all
else when somebody wants it (`run --ask-again`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from benchwright.domain.item import ItemState
from benchwright.domain.text import plural
from benchwright.pipelines.base import Pipeline
from benchwright.pipelines.polling import UNAVAILABLE
from benchwright.store import failures, jobs
from benchwright.store.database import Connection
from benchwright.store.failures import Failure


@dataclass(frozen=True, slots=True)
class AskAgain:
    """Which failed answers are withdrawn: those of a cause and of a model, or of any where that is empty.

    With `undo` none are: what was withdrawn counts again, where nobody has answered since.
    """

    cause: str = ""
    model: str = ""
    undo: bool = False

    def fits(self, failure: Failure) -> bool:
        """Whether an answer is one of them."""
        return self.cause in ("", failure.cause) and self.model in ("", failure.model)


def ask_checkers_again(connection: Connection, pipeline: Pipeline, plan: jobs.Planner, now: str) -> int:
    """Take back that checkers were unavailable, about items that have not ended; how many are asked again."""
    voting = [role.name for role in pipeline.roles if role.votes]
    return withdraw(connection, list(find_unavailable(connection, voting)), plan, now)


def find_unavailable(connection: Connection, steps: Iterable[str]) -> Iterator[Failure]:
    """The failed answers of models that were down, in these steps, about items that have not ended."""
    for step in steps:
        for failure in failures.of_step(connection, step):
            unfinished = failure.state in {ItemState.OPEN, ItemState.WAITING}
            yield from [failure] if unfinished and failure.cause == UNAVAILABLE else []


def ask_again(connection: Connection, wanted: AskAgain, plan: jobs.Planner, now: str) -> str:
    """Withdraw failed answers, so that their questions are put again as far as that can still change anything.

    They stay where the next try has begun in the place of their item, or a later phase draws on it. Returns a sentence
    for people.
    """
    if wanted.undo:
        return f"{plural(restore(connection, plan), 'failed call')} that nobody has answered since will not be repeated"
    found = [failure for failure in failures.every(connection) if wanted.fits(failure)]
    able = [failure for failure in found if failure.open]
    stay = len(found) - len(able)
    why = f"; {plural(stay, 'other')} stay as they are: other items have taken the place of theirs" if stay else ""
    return f"asking again what failed: {plural(withdraw(connection, able, plan, now), 'call')}{why}"


def withdraw(connection: Connection, found: Iterable[Failure], plan: jobs.Planner, now: str) -> int:
    """Withdraw these, and plan their items anew; how many they are."""
    items_of: dict[int, list[Failure]] = {}
    for failure in found:
        items_of.setdefault(failure.seq, []).append(failure)
    for seq, those in items_of.items():
        for failure in those:
            failures.withdraw(connection, failure, now)
        jobs.advance(connection, seq, plan)
    return sum(map(len, items_of.values()))


def restore(connection: Connection, plan: jobs.Planner) -> int:
    """Let what was withdrawn count again where nobody has answered since; how many answers these are."""
    found = failures.restore(connection)
    for seq in dict.fromkeys(found):
        jobs.advance(connection, seq, plan)
    return len(found)
