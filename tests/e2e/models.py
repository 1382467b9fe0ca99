"""The models of these tests, a server in a process of its own: answers depend on the request alone.

`python -m tests.e2e.models --port 0 --log FILE --latency 0.05` prints its address. FILE gets one line for each request
as it arrives: its trace, which can be computed again from the ledger, and the model.
"""

import argparse
import asyncio
import os
from typing import Any

from tests.stub import Raw, Stub, completion, digest

from benchwright.domain.ids import seeded
from benchwright.drill.record import trace
from benchwright.drill.roles import said


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """What any model says to any role; each seventh reply with options cannot be used and has to be mended."""
    wanted = body["response_format"]["json_schema"]["schema"]["properties"]
    mended = body["messages"][-1]["content"].startswith("Your reply")
    if "options" in wanted and not mended and seeded(digest(body)).random() <= 1 / 7:
        return completion(body, '{"options": []}')
    return said(body)


class Models(Stub):
    """The server; each request takes between half and all of the latency, so replies overtake each other."""

    def note(self, body: dict[str, Any], sent: bytes) -> None:
        """One line for each request, whole even when this process is killed."""
        file = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        os.write(file, f"{trace(body)} {body['model']}\n".encode())
        os.close(file)

    async def work(self, body: dict[str, Any], sent: bytes) -> dict[str, Any] | Raw:
        """Answer after a time that depends on the request."""
        said = await super().work(body, sent)
        await asyncio.sleep(self.latency * seeded(digest(body)).random())
        return said


async def main(port: int, log: str, latency: float) -> None:
    """Serve until killed."""
    models = Models(answer, latency / 2, log)
    await models.start(port)
    print(models.url, flush=True)  # noqa: T201 - the caller reads the address
    await models.server.serve_forever()


if __name__ == "__main__":
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--port", type=int, default=0)
    given.add_argument("--log", required=True)
    given.add_argument("--latency", type=float, default=0.05)
    asyncio.run(main(**vars(given.parse_args())))
