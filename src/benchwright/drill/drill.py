"""The drill: the real command line against a faulty provider, killed and started again, beside a run without faults."""

import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchwright.domain.ids import seeded_random
from benchwright.drill.campaign import write
from benchwright.drill.child import contents, last_error, never, run
from benchwright.drill.faults import Faulty
from benchwright.drill.provider import completion
from benchwright.drill.record import Watched, ledger
from benchwright.errors import BenchwrightError, UsageError
from benchwright.pipelines import play

LATENCY = 0.02  # seconds for an answer
SETTLED = {0, 4, 5}  # exit codes of a run after which models owe nothing
PAUSED = 3
PATIENCE = 20  # runs, after the last kill, until the campaign has come to its end


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be survived: faults by kind with their chances, so many kills, in a campaign of so many items."""

    chances: Mapping[str, float]
    kills: int = 3
    items: int = 8
    seed: int = 0

    def __post_init__(self) -> None:
        if (total := sum(self.chances.values())) > 1:
            message = f"the chances of all faults together are {total:g}: make them 1 at most"
            raise UsageError(message)


@dataclass(frozen=True, slots=True)
class Found:
    """What a drill came to.

    `ended` is the exit code of the last run, `error` what it printed where that was bad; `replies` are on record;
    `again` counts requests that came again although their reply was, `unrecorded` those that left without a line in
    the ledger, `in_flight` those that a kill caught in flight: they were sent again. `folder` is where all of it is
    kept (empty: nowhere).
    """

    plan: Plan
    runs: int
    kills: int
    ended: int
    error: str
    requests: int
    faults: Mapping[str, int]
    replies: int
    in_flight: int
    again: int
    unrecorded: int
    items: int
    identical: bool
    seconds: float
    folder: str = ""

    @property
    def broken_promises(self) -> list[str]:
        """The promises that were not kept."""
        met, wanted = self.kills, self.plan.kills
        promises = {
            f"the last run ended with exit code {self.ended}: {self.error}": self.ended in SETTLED,
            f"only {met} of {wanted} kills met a run at work: ask for more items": met == wanted,
            f"{self.again} requests came again after their reply was on record": not self.again,
            f"{self.unrecorded} requests left without a line in the ledger": not self.unrecorded,
            "the set holds no item, so there was nothing to compare": self.items > 0,
            "the set is not the one of the run without faults": self.identical,
        }
        return [promise for promise, kept in promises.items() if not kept]

    def json(self) -> dict[str, Any]:
        """The findings as JSON values."""
        return asdict(self) | {"broken": self.broken_promises}


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """What the drill's models say, without any fault."""
    return completion(body, play().reply(body))


async def drill(plan: Plan, say: Callable[[str], None], keep: Path | None = None) -> Found:
    """Carry out a drill in `keep`, a new folder, or in one that vanishes; `say` is told how it goes."""
    began = time.monotonic()
    with room(keep) as folder:
        async with Watched(Faulty(answer, {}), LATENCY) as provider:
            whole, cut = (
                write(folder / name, provider.url, plan.items, plan.seed, play()) for name in ("whole", "cut")
            )
            needed = await run_without_faults(whole, provider)
            say(f"a run without faults took {needed} requests; now the same with faults and kills")
            provider.begin(faulty := Faulty(answer, plan.chances, plan.seed))
            course = Course(plan, cut, provider, say)
            await course.run(needed)
        sets = [await export_files(file) for file in (whole, cut)]
        return Found(
            plan=plan,
            runs=course.runs,
            kills=course.kills,
            ended=course.ended,
            error="" if course.ended in SETTLED else last_error(cut),
            requests=len(provider.traces),
            faults={kind: faulty.served[kind] for kind, chance in plan.chances.items() if chance},
            replies=len(provider.done),
            in_flight=course.in_flight,
            again=provider.again,
            unrecorded=(Counter(provider.traces) - Counter(course.sent)).total(),
            items=sets[1]["items.jsonl"].count(b"\n"),
            identical=sets[0] == sets[1],
            seconds=time.monotonic() - began,
            folder=str(keep or ""),
        )


@contextmanager
def room(keep: Path | None) -> Iterator[Path]:
    """The folder of a drill."""
    if keep is None:
        with TemporaryDirectory(prefix="benchwright-drill-") as folder:
            yield Path(folder)
        return
    try:
        keep.mkdir(parents=True)
    except OSError as error:
        message = f"{keep}: cannot be made ({error.strerror}): name a folder that is not there yet"
        raise UsageError(message) from error
    yield keep


async def run_without_faults(file: Path, provider: Watched) -> int:
    """Run without faults; how many requests that takes."""
    if (code := await run("run", file, never())) not in SETTLED:
        message = (
            f"the run without faults ended with exit code {code}, so there is nothing to compare: {last_error(file)}"
        )
        raise BenchwrightError(message)
    return len(provider.traces)


async def export_files(file: Path) -> dict[str, bytes]:
    """The campaign's set, file by file."""
    if code := await run("export", file, never()):
        message = f"the export ended with exit code {code}: {last_error(file)}"
        raise BenchwrightError(message)
    return contents(file.with_name(f"{file.stem}-set"))


@dataclass
class Course:
    """A disturbed campaign under way; `sent` is how often each request left by the ledger, by trace."""

    plan: Plan
    file: Path
    provider: Watched
    say: Callable[[str], None]
    runs: int = 0
    kills: int = 0
    in_flight: int = 0
    ended: int = PAUSED
    sent: dict[str, int] = field(default_factory=dict)

    async def run(self, needed: int) -> None:
        """Run and kill, then run to the end; `needed` is how many requests the campaign takes without faults."""
        chance, share = seeded_random("kills", self.plan.seed), max(1, needed // (self.plan.kills + 1))
        while self.kills < self.plan.kills and self.goes_on:
            requests = chance.randint((share + 1) // 2, share)
            await self.once(self.provider.moment(requests, chance.uniform(0, LATENCY)))
        while self.goes_on:
            await self.once(never())

    @property
    def goes_on(self) -> bool:
        """Whether the same command is to be given again."""
        return (self.ended < 0 or self.ended == PAUSED) and self.runs < self.plan.kills + PATIENCE

    async def once(self, until: Coroutine[Any, Any, None]) -> None:
        """One run, and a look at what it left."""
        before = len(self.provider.traces)
        self.ended = await run("run", self.file, until)
        entries = await ledger(self.file)
        self.provider.done = {entry.trace for entry in entries if entry.state == "done"}
        self.sent = {entry.trace: entry.sent for entry in entries}
        self.runs += 1
        self.kills += self.ended < 0
        self.in_flight += sum(entry.state == "intended" for entry in entries)
        how = "killed" if self.ended < 0 else f"ended with exit code {self.ended}"
        asked = len(self.provider.traces) - before
        self.say(f"run {self.runs}: {how} after {asked} requests; {len(self.provider.done)} replies on record")
