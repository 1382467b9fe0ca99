"""The gateway: how much of an ideal rate it reaches, what it costs above its transport, and whether its memory is flat.

Run from the project's folder: `python -m bench.gateway` (`--json`, `--help`). The product's whole chain, its ledger on
disk, against an endpoint on loopback in a process of its own; what is compared takes turns within one run.
"""

import asyncio
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import httpx2 as httpx
from bench.machine import machine, report, resident

from benchwright.domain.call import Message, Request
from benchwright.domain.campaign import Model
from benchwright.engine.record import StoreRecord
from benchwright.engine.runner import claims
from benchwright.llm.catalogue import chain
from benchwright.llm.providers.transport import Transport
from benchwright.llm.replies import chat
from benchwright.store.database import Database

LATENCY, WIDE = 0.5, 256  # seconds; calls in flight
BESIDE = 200  # calls in flight where the endpoint answers at once
WARM = 7.0  # seconds until the width has grown from its beginning to the whole
DOCUMENT = " ".join(f"[{n}] The clinic at the river reported {n} cases after the flood." for n in range(1, 60))
SCHEMA = {
    "type": "object",
    "properties": {
        "verdict": {"enum": ["yes", "no"]},
        "why": {"type": "string", "maxLength": 400},
        "evidence": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 59}, "minItems": 1},
    },
    "required": ["verdict", "why", "evidence"],
    "additionalProperties": False,
}
MODEL = Model("m", "direct", "stub", price_in=0.5, price_out=1.5, timeout=60.0, max_tokens=400)
NUMBERS = count()

Ask = Callable[[], Awaitable[object]]


def question(model: Model) -> Request:
    """One more question about the same document: never the same twice, or the ledger would answer it."""
    task = f"Does the document support this statement? Case {next(NUMBERS)}: the wells were closed after the flood."
    turns = (Message("system", ("You judge statements.",)), Message("user", (DOCUMENT, "Cite sentences.", task)))
    return Request(model, turns, SCHEMA, step="judge")


@dataclass(frozen=True, slots=True)
class Driven:
    """What so many calls took: in all, and of the processor's time."""

    calls: int
    wall: float
    cpu: float


@dataclass(slots=True)
class Callers:
    """So many callers ask again and again until they are told to stop, or have asked often enough."""

    ask: Ask
    left: int = sys.maxsize
    done: int = 0

    async def caller(self) -> None:
        """One of them."""
        while self.left > 0:
            self.left -= 1
            await self.ask()
            self.done += 1

    async def all(self, width: int) -> None:
        """All of them."""
        async with asyncio.TaskGroup() as group:
            for _ in range(width):
                group.create_task(self.caller())


async def number(ask: Ask, width: int, calls: int) -> None:
    """So many calls."""
    await Callers(ask, calls).all(width)


async def during(ask: Ask, width: int, warm: float, seconds: float) -> Driven:
    """What is done while so many seconds pass; it began `warm` seconds before, and its last calls do not count."""
    callers = Callers(ask)
    running = asyncio.create_task(callers.all(width))
    await asyncio.sleep(warm)
    calls, wall, cpu = callers.done, perf_counter(), process_time()
    await asyncio.sleep(seconds)
    driven = Driven(callers.done - calls, perf_counter() - wall, process_time() - cpu)
    callers.left = 0
    await running
    return driven


async def whole(ask: Ask, width: int, seconds: float) -> Driven:
    """All that is begun within so many seconds, to its end: nothing that was paid for goes uncounted."""
    callers = Callers(ask)
    wall, cpu = perf_counter(), process_time()
    asyncio.get_running_loop().call_later(seconds, setattr, callers, "left", 0)
    await callers.all(width)
    return Driven(callers.done, perf_counter() - wall, process_time() - cpu)


@asynccontextmanager
async def endpoint(latency: float, *more: str) -> AsyncIterator[str]:
    """The address of an endpoint in a process of its own."""
    command = (sys.executable, "-m", "bench.endpoint", "--latency", str(latency), *more)
    running = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert running.stdout is not None
    try:
        yield (await running.stdout.readline()).decode().strip()
    finally:
        running.kill()
        await running.wait()


@asynccontextmanager
async def gateway(model: Model, file: Path) -> AsyncIterator[Ask]:
    """The product's chain with its ledger in a file."""
    async with await Database.open(file, create=True) as database:
        way = chain(StoreRecord(database), {model.name: model})
        try:
            yield lambda: way.ask(question(model))
        finally:
            await way.aclose()


@asynccontextmanager
async def raw(model: Model, transport: httpx.AsyncBaseTransport | None) -> AsyncIterator[Ask]:
    """The bare client, posting one prepared body; None is the client's own transport."""
    body = chat.body(question(model))
    limits = httpx.Limits(max_connections=model.width, max_keepalive_connections=model.width)
    url = f"{model.base_url}/chat/completions"
    async with httpx.AsyncClient(transport=transport, limits=limits, timeout=60.0, trust_env=False) as client:
        yield lambda: client.post(url, json=body)


async def rate(folder: Path, seconds: float) -> list[dict[str, Any]]:
    """How much of the ideal rate is reached where answers take their time; the bare client shows what a machine can."""
    ideal = WIDE / LATENCY
    rows = []
    async with endpoint(LATENCY) as url:
        model = replace(MODEL, base_url=url, width=WIDE)
        ways = {
            "httpx2 over aiohttp": raw(model, Transport(WIDE)),
            "gateway, direct": gateway(model, folder / "rate.db"),
        }
        for name, way in ways.items():
            async with way as ask:
                driven = await during(ask, claims(WIDE), WARM, seconds)
            reached = driven.calls / driven.wall
            row = {"what": name, "width": WIDE, "latency s": LATENCY, "calls/s": reached, "ideal": ideal}
            rows.append(row | {"share": reached / ideal, "CPU ms each": 1e3 * driven.cpu / driven.calls})
    return rows


async def costs(folder: Path, rounds: int, seconds: float) -> list[dict[str, Any]]:
    """Calls a second and CPU for each, transports and gateways by turns."""
    async with AsyncExitStack() as stack:
        model = replace(MODEL, base_url=await stack.enter_async_context(endpoint(0.0)), width=BESIDE)
        litellm = replace(model, provider="litellm", target="openai/stub", api_key_env="BENCH_KEY")
        kinds = {
            "httpx2, its own transport": raw(model, None),
            "httpx2 over aiohttp": raw(model, Transport(BESIDE)),
            "gateway, direct": gateway(model, folder / "direct.db"),
        }
        if find_spec("litellm"):
            os.environ["BENCH_KEY"] = "sk-of-no-value"
            kinds["gateway, litellm"] = gateway(litellm, folder / "litellm.db")
        found: dict[str, list[Driven]] = {name: [] for name in kinds}
        asks = {name: await stack.enter_async_context(kind) for name, kind in kinds.items()}
        for ask in asks.values():
            await number(ask, BESIDE, 5 * BESIDE)
        for _ in range(rounds):
            for name, ask in asks.items():
                found[name].append(await whole(ask, BESIDE, seconds))
    base = median(spent(found["httpx2 over aiohttp"]))
    return [
        {
            "what": name,
            "calls/s": median(driven.calls / driven.wall for driven in all_),
            "CPU ms each": median(spent(all_)),
            "above its transport": median(spent(all_)) - base if name == "gateway, direct" else "",
        }
        for name, all_ in found.items()
    ]


def spent(runs: list[Driven]) -> list[float]:
    """Milliseconds of the processor's time for each call."""
    return [1e3 * driven.cpu / driven.calls for driven in runs]


async def memory(folder: Path, calls: int) -> list[dict[str, Any]]:
    """Resident memory after so many calls."""
    rows = []
    async with endpoint(0.0) as url, gateway(replace(MODEL, base_url=url, width=BESIDE), folder / "memory.db") as ask:
        done = 0
        for until in (BESIDE, calls // 4, calls // 2, calls):
            await number(ask, BESIDE, until - done)
            done = until
            rows.append({"calls": done, "resident MiB": resident() / 2**20, "tasks": len(asyncio.all_tasks())})
    return rows


async def measured(options: Namespace) -> dict[str, Any]:
    """Everything, in one run; the memory first, before litellm takes its share."""
    with TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        os.environ["BENCHWRIGHT_STATE"] = name
        parts: dict[str, Callable[[], Awaitable[Any]]] = {
            "memory": partial(memory, folder, options.calls),
            "rate": partial(rate, folder, options.seconds * options.rounds),
            "cost": partial(costs, folder, options.rounds, options.seconds),
        }
        titles = {
            "memory": "memory of the gateway, direct",
            "rate": "the ideal rate where answers take their time",
            "cost": f"{BESIDE} calls side by side, answered at once",
        }
        found: dict[str, Any] = {"machine": machine()}
        for part in options.only or parts:
            found[titles[part]] = await parts[part]()
    return found | {"load afterwards": {"load": machine()["load"]}}


def main() -> None:
    """Read the command line, measure, print."""
    parser = ArgumentParser(prog="python -m bench.gateway", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--rounds", type=int, default=3, help="how often each kind takes its turn")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each turn lasts")
    parser.add_argument("--calls", type=int, default=20_000, help="how many calls the memory is watched over")
    parser.add_argument("--only", action="append", choices=("memory", "rate", "cost"), help="this part alone")
    parser.add_argument("--folder", type=Path, help="where the files go: on the disk that is to be measured")
    options = parser.parse_args()
    report(asyncio.run(measured(options)), as_json=options.json)


if __name__ == "__main__":
    main()
