"""The command line in a process that dies at a chosen moment: `python -m tests.e2e.die WHAT N run CAMPAIGN.toml`.

It dies in the N-th call of a function of the store, with all that the function was to write uncommitted.
"""

import os
import sys
from collections.abc import Callable
from typing import Any

from benchwright.cli import main
from benchwright.store import calls, jobs

MOMENTS = {"settle": calls, "complete": jobs}  # a reply is here; a reply is in the ledger


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


if __name__ == "__main__":
    what, number, *words = sys.argv[1:]
    setattr(MOMENTS[what], what, deadly(getattr(MOMENTS[what], what), int(number)))
    main(words)
