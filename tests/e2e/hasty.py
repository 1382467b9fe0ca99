"""The command line with batches that leave and are looked at within fractions of a second.

Its words are WHEN run CAMPAIGN.toml: WHEN is a function of `store.batches` in whose first call the process dies, with
all that it was to write uncommitted; or `never`.
"""

from collections.abc import Sequence

from tests.e2e.die import deadly

from benchwright import cli
from benchwright.llm.batch import batch
from benchwright.store import batches


def main(words: Sequence[str]) -> None:
    """Make this process hasty, and begin."""
    batch.QUIET = 0.4
    batch.FIRST = batch.LONGEST = 0.1
    when, *rest = words
    if when != "never":
        setattr(batches, when, deadly(getattr(batches, when), 1))
    cli.main(rest)
