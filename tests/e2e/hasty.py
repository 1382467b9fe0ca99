"""The command line with batches that leave and are looked at within fractions of a second.

`python -m tests.e2e.hasty WHEN run CAMPAIGN.toml`: WHEN is a function of `store.batches` in whose first call the
process dies, with all that it was to write uncommitted; or `never`.
"""

import sys

from tests.e2e.die import deadly

from benchwright.cli import main
from benchwright.llm import batch
from benchwright.store import batches

if __name__ == "__main__":
    batch.QUIET = 0.4
    batch.FIRST = batch.LONGEST = 0.1
    when, *words = sys.argv[1:]
    if when != "never":
        setattr(batches, when, deadly(getattr(batches, when), 1))
    main(words)
