"""How a campaign stands, drawn: while it runs, at any time, and at its end."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from benchwright.domain.answer import HUMAN
from benchwright.engine.status import PhaseStatus, Status
from benchwright.errors import UsageError
from benchwright.show.code import Code
from benchwright.show.screen import Screen
from benchwright.show.text import amount, count_text, money, plain, span, when
from benchwright.store.calls import Spent

LIVE = ("ready", "delayed")  # tickets that wait for a model
REFUSED = 10  # refused files that are named
FOLLOW = 1.0  # seconds between two looks of `status --watch`


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast it goes: answers a minute, seconds left; None until known."""

    rate: float | None = None
    left: float | None = None


STILL = Pace()


def table(*columns: str, right: Sequence[str] = ()) -> Table:
    """An empty table; the columns in `right` hold numbers."""
    drawn = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        drawn.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return drawn


def indent(*parts: RenderableType) -> Padding:
    """Parts under a heading."""
    return Padding(Group(*parts), (0, 0, 0, 2), expand=False)


def items_text(status: Status) -> str:
    """Items in one phrase."""
    of = "" if status.wanted is None else f" of {status.wanted}"
    return f"{status.items.get('kept', 0)} kept{of}"


def count_answers(status: Status) -> int:
    """How many answers there are."""
    return sum(sum(states.values()) for states in status.answers.values())


def tokens(status: Status) -> str:
    """Tokens in one phrase."""
    read, written, thought = (
        sum(getattr(spent, name) for spent in status.spending) for name in ("prompt", "completion", "thinking")
    )
    reasoning = f" ({amount(thought)} of reasoning)" if thought else ""
    return f"{amount(read)} tokens in ({share(status.cached)} cached), {amount(written)} out{reasoning}"


def share(part: float | None) -> str:
    """A share in percent, rounded down: all is only said of all."""
    return "none" if not part else f"{int(100 * part)} %"


def cost(status: Status) -> str:
    """Money in one phrase; where some calls have no known price, only the rest is known."""
    if not status.spending:
        return "nothing spent yet"
    unpriced = sum(spent.unpriced for spent in status.spending)
    if not unpriced:
        more = status.projected if status.settled_items < (status.wanted or 0) else None
        return f"cost {money(status.cost)}" + (f", about {money(more)} in all" if more else "")
    known = sum(spent.cost for spent in status.spending)
    beside = f", {money(known)} for the others" if known else ""
    return f"cost unknown ({count_text(unpriced, 'call')} without a known price{beside})"


def line(status: Status, pace: Pace = STILL) -> str:
    """The campaign in one line."""
    items, queues = status.items, [states for queue, states in status.queues.items() if queue != HUMAN]
    running = sum(states.get("running", 0) for states in queues)
    waiting = sum(states.get(state, 0) for states in queues for state in LIVE)
    parts = [
        f"{items_text(status)}, {items.get('waiting', 0)} waiting for people, {items.get('discarded', 0)} discarded",
        count_text(count_answers(status), "answer") + ("" if pace.rate is None else f" ({pace.rate:.0f}/min)"),
        f"{running} in work, {waiting} queued",
        tokens(status),
        cost(status),
    ]
    return "; ".join([*parts, f"{span(pace.left)} left"] if pace.left is not None else parts)


def roles(status: Status) -> RenderableType:
    """Answers and money by step."""
    drawn = table("role", "answers", "cost", right=("answers", "cost"))
    for step, states in status.answers.items():
        number = with_failed(states.get("given", 0), states.get("failed", 0))
        drawn.add_row(plain(step), number, costs([one for one in status.spending if one.step == step]))
    return drawn


def with_failed(number: int, failed: int) -> Text:
    """A count, and how many failed beside."""
    return Text.assemble(str(number), (f" + {failed} failed" if failed else "", "red"))


def costs(rows: Sequence[Spent]) -> str:
    """The money of some rows; nothing where nobody was paid."""
    unknown = any(one.unpriced for one in rows)
    return money(None if unknown else sum(one.cost for one in rows)) if rows else ""


def queues(status: Status) -> RenderableType:
    """Tickets and money by model."""
    drawn = table("queue", "in work", "waiting", "cost", right=("in work", "waiting", "cost"))
    for queue in sorted({*status.queues, *(one.model for one in status.spending)}):
        states = status.queues.get(queue, {})
        waiting = with_failed(sum(states.get(state, 0) for state in LIVE), states.get("failed", 0))
        paid = costs([one for one in status.spending if one.model == queue])
        drawn.add_row(plain("people" if queue == HUMAN else queue), str(states.get("running", 0)), waiting, paid)
    return drawn


def progress(status: Status, pace: Pace) -> RenderableType:
    """Everything that moves while a campaign runs."""
    items = status.items
    counts = (
        f"{items_text(status)}, {items.get('waiting', 0)} waiting for people, {items.get('discarded', 0)} discarded"
    )
    rate = "— answers/min" if pace.rate is None else f"{pace.rate:.0f} answers/min"
    head = Table.grid(padding=(0, 2), expand=True)
    head.add_column(no_wrap=True)
    head.add_column(ratio=1)
    head.add_row(counts, ProgressBar(status.wanted or 1, status.settled_items))
    side = Table.grid(padding=(0, 4))
    side.add_row(roles(status), queues(status))
    foot = f"{rate}, time left {span(pace.left)}; {tokens(status)}; {cost(status)}"
    room = ""  # for an echoed ^C, which must not move the rest
    return Group(head, "", side, "", plain(foot), *batches(status), room)


def draw_status(status: Status) -> RenderableType:
    """The whole status."""
    items = status.items
    counts = (
        f"items: {items_text(status)}, {items.get('open', 0)} in the making, "
        f"{items.get('waiting', 0)} waiting for people "
        f"({count_text(status.people, 'decision')}), {items.get('discarded', 0)} discarded"
    )
    of_records = f"records: {status.records} admitted, " if status.records else ""
    named = [phase for phase in status.phases if phase.name]
    parts: list[RenderableType] = [
        plain(f"campaign {status.campaign}, begun {status.began}: {condition(status)}", "bold"),
        plain(f"documents: {status.documents} admitted, {of_records}{status.refusals} refused"),
        plain(counts),
        *map(phase_line, named),
    ]
    if status.answers or status.queues:
        side = Table.grid(padding=(0, 4))
        side.add_row(roles(status), queues(status))
        parts += ["", side, ""]
    return Group(
        *parts,
        *causes(status),
        *draw_refused_files(status),
        *draw_notes(status),
        *batches(status),
        *draw_spending(status),
    )


def phase_line(phase: PhaseStatus) -> RenderableType:
    """A phase in one line: its items, and what it draws on."""
    items = phase.items
    counts = f"{items.get('kept', 0)} of {phase.wanted} kept, {items.get('discarded', 0)} discarded"
    without = f", without {phase.without} that waited for people" if phase.without else ""
    drawn = "" if phase.inputs is None else f"; on {phase.drawn} kept items of the phase before{without}"
    return plain(f"phase {phase.name}: {counts}, {items.get('waiting', 0)} waiting for people{drawn}")


def condition(status: Status) -> str:
    """What the runner does, or how the last run ended."""
    if status.ended and status.ended["how"] == "waiting":
        return owed_text(status)
    if status.ended:
        once_mended = "; once that is mended, the same command continues" if status.ended["how"] == "failed" else ""
        return f"{status.ended['how']}{ending(status.ended)}{once_mended}"
    if status.runner:
        return f"{'asked to pause' if status.paused else 'running'} ({status.runner})"
    return "interrupted: the same command continues"


def owed_text(status: Status) -> str:
    """What people still owe after a run that ended for their sake, and whether what they said can be gone on with."""
    if not status.people:
        return "people have decided all that waited: the same command continues"
    said = "; the same command continues with what they have decided" if status.items.get("open") else ""
    held = status.ended.get("phase", "") if status.ended else ""
    before = held_text(held) if held else ""
    return f"waiting: people owe {count_text(status.people, 'decision')}{before}{said}"


def held_text(phase: str) -> str:
    """That people hold a phase back, and the way to begin it without them."""
    return f" before the phase {phase} can begin ([items] wait_for_people = false begins it without these items)"


def ending(ended: Mapping[str, Any]) -> str:
    """Why a run ended, and when to go on where that is known; put after the word for how it ended."""
    cause = f" ({ended['cause']})" if ended.get("cause") else ""
    reason = f": {ended['reason']}" if ended["reason"] else ""
    until = f"; more at {when(ended['until'])}: then run the same command" if ended.get("until") else ""
    return cause + reason + until


def batches(status: Status) -> list[RenderableType]:
    """How far the batches have got that providers work on."""
    return [
        plain(f"batch {one.name[:8]} of {one.model}: {one.done} of {one.total} done{'' if one.sent else ', leaving'}")
        for one in status.batches
    ]


def causes(status: Status) -> list[RenderableType]:
    """Why items were discarded."""
    found = [(cause, n) for state, cause, n in status.causes if state == "discarded"]
    return draw_causes("discarded items", found)


def draw_causes(title: str, found: Iterable[tuple[str, int]]) -> list[RenderableType]:
    """A small table of causes; nothing where there are none."""
    drawn = table("items", "cause", right=("items",))
    for cause, n in found:
        drawn.add_row(str(n), plain(cause))
    return [Text(title, "bold"), indent(drawn)] if drawn.row_count else []


def draw_refused_files(status: Status) -> list[RenderableType]:
    """The first refused files, with their reasons."""
    if not status.refused:
        return []
    named = [plain(f"{name}: {reason}") for name, reason in list(status.refused.items())[:REFUSED]]
    more = status.refusals - len(named)
    known = "all" if status.refusals == len(status.refused) else f"{len(status.refused)} of them"
    rest = [plain(f"and {more} more; --json lists {known}")] if more else []
    return [Text("refused files", "bold"), indent(*named, *rest)]


def draw_notes(status: Status) -> list[RenderableType]:
    """What readers had to say of the first files: what they left out, or guessed."""
    if not status.notes:
        return []
    named = [plain(f"{name}: {'; '.join(notes)}") for name, notes in list(status.notes.items())[:REFUSED]]
    more = status.noted - len(named)
    rest = [plain(f"and {more} more; --json lists {'all' if status.noted == len(status.notes) else 'more'}")]
    return [Text("notes on files", "bold"), indent(*named, *(rest if more else []))]


def draw_spending(status: Status) -> list[RenderableType]:
    """Calls, tokens and money by model."""
    if not status.spending:
        return []
    numbers = ("calls", "tokens in", "cached", "out", "s/call", "cost")
    drawn = table("model", *numbers, right=numbers)
    for model in sorted({one.model for one in status.spending}):
        rows = [one for one in status.spending if one.model == model]
        calls, read, cached, out = (
            sum(getattr(one, name) for one in rows) for name in ("calls", "prompt", "cached", "completion")
        )
        latency = f"{sum(one.latency for one in rows) / calls:.1f}"
        part = share(cached / read if read else None)
        drawn.add_row(plain(model), amount(calls), amount(read), part, amount(out), latency, costs(rows))
    flying = sum(states.get("running", 0) for states in status.queues.values()) if status.runner else 0
    lost = max(0, status.uncertain - flying)
    uncertain = [f"{count_text(lost, 'request')} left without a reply on record: perhaps paid"]
    return [drawn, plain(f"{tokens(status)}; {cost(status)}"), *(uncertain if lost else [])]


async def follow(screen: Screen, look: Callable[[], Awaitable[Status]]) -> Code:
    """Show the status every second until the run ends or someone presses Ctrl-C."""
    if screen.json:
        message = "--json prints one document: leave out --watch, or --json"
        raise UsageError(message)
    from rich.live import Live

    with Live(console=screen.out, auto_refresh=False) as live, suppress(asyncio.CancelledError):
        while True:
            status = await look()
            live.update(Group(draw_status(status), ""), refresh=screen.out.is_terminal)  # "": room for an echoed ^C
            if status.ended or not status.runner:
                break
            await asyncio.sleep(FOLLOW)
    return Code.DONE
