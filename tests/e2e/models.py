"""The models of these tests, a server in a process of its own: answers depend on the request alone.

`python -m tests.e2e.models --port 0 --log FILE --latency 0.05` prints its address. FILE gets one line for each request
as it arrives: its trace, which can be computed again from the ledger, and the model.
"""

import argparse
import asyncio
import json
import os
import re
from typing import Any

from tests.scripted_recall import phrase
from tests.stub import Raw, Stub, completion, digest

from benchwright.domain.ids import seeded


def trace(body: dict[str, Any]) -> str:
    """A digest of what was asked; the ledger keeps the schema's keys in another order, so that is left out."""
    return digest({key: value for key, value in body.items() if key != "response_format"})


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """What any model says to any role."""
    wanted = body["response_format"]["json_schema"]["schema"]["properties"]
    made = next(make for key, make in MADE.items() if key in wanted)
    return completion(body, json.dumps(made(body, wanted)))


def choice(body: dict[str, Any], _: Any) -> dict[str, Any]:
    return {"rationale": "because", "suitable": [1, 2, 3], "best": 1 + seeded(digest(body)).randrange(3)}


def question(body: dict[str, Any], _: Any) -> dict[str, Any]:
    return {"rationale": "because", "evidence": [1, 2], "question": f"Which {phrase(digest(body))} was it?"}


def options(body: dict[str, Any], wanted: Any) -> dict[str, Any]:
    """One right option, or as many distractors as may be; each seventh reply cannot be used and has to be mended."""
    if body["messages"][-1]["content"].startswith("Your reply") or seeded(digest(body)).random() > 1 / 7:
        return {"options": [option(body, n) for n in range(wanted["options"].get("maxItems", 1))]}
    return {"options": []}


def option(body: dict[str, Any], number: int) -> dict[str, Any]:
    made = {"rationale": "so", "evidence": [1 + number], "text": phrase(digest(body), number)}
    confused = "confusion" in json.dumps(body["response_format"])
    return made | ({"confusion": ("role", "place", "time", "context")[number % 4]} if confused else {})


def verdicts(body: dict[str, Any], wanted: Any) -> dict[str, Any]:
    lines = dict(re.findall(r"^([A-Z])\. (.+)$", body["messages"][-1]["content"], flags=re.MULTILINE))
    names = wanted["verdicts"]["properties"]
    return {"verdicts": {name: {"reason": "seen", "verdict": opinion(body, lines[name])} for name in names}}


def opinion(body: dict[str, Any], text: str) -> str:
    """A checker mostly says of a text what all say of it."""
    common = seeded(text).choice(("correct", "wrong", "wrong", "wrong", "flawed"))
    own = seeded(digest(body), text)
    return common if own.random() < 0.8 else own.choice(("correct", "wrong", "flawed", "cannot_say"))


MADE = {"best": choice, "question": question, "options": options, "verdicts": verdicts}


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
