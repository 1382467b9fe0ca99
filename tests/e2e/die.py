"""The command line in a process that dies at a chosen moment; its words are WHAT N run CAMPAIGN.toml.

It dies in the N-th call of a function of the store, with all that the function was to write uncommitted.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any

from benchwright import cli
from benchwright.store import calls, jobs

MOMENTS = {"settle": calls, "close": jobs}  # a reply is here; a reply is in the ledger


def deadly(real: Callable[..., Any], last: int) -> Callable[..., Any]:
    """A function that kills its process at its last call, when its work is done but nothing committed."""
    count = 0

    def function(*arguments: Any) -> Any:
        nonlocal count
        count += 1
        found = real(*arguments)
        if count == last:
            os._exit(9)
        return found

    return function


def main(words: Sequence[str]) -> None:
    """Prepare the death of this process, and begin."""
    what, number, *rest = words
    setattr(MOMENTS[what], what, deadly(getattr(MOMENTS[what], what), int(number)))
    cli.main(rest)
