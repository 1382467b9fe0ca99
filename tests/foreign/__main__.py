"""The command line with the stranger's pipeline in its registry: `python -m tests.foreign run FILE`."""

import sys
from collections.abc import Sequence

from tests.foreign.pipeline import register

from benchwright import cli


def main(words: Sequence[str] | None = None) -> None:
    """Register, then be the command line."""
    register()
    cli.main(words)


if __name__ == "__main__":
    main(sys.argv[1:])
