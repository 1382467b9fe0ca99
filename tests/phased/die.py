"""A process that works on a campaign of pairs and is killed at a certain call, or comes to the end of its run."""

import asyncio
import os
import signal
import sys
from itertools import count
from pathlib import Path

from tests.phased.pipeline import Pairs, answer, campaign
from tests.phased.rig import phased

from benchwright.domain.call import Request


async def main(folder: Path, call: int) -> None:
    """Work, and die at the call of that number, from 0 on; with -1 never."""
    numbers = count()

    def script(request: Request) -> str:
        if next(numbers) == call:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer(request)

    async with phased(Pairs(campaign(width=1)), folder, script, path=folder / "campaign.db") as one:
        await one.run()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
